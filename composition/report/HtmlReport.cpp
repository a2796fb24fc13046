#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "composition/report/HtmlPage.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgTimeAxis.hpp"

namespace openmi {
namespace {

/// A path from the page as a link: "a%20b.csv". It cannot name another machine, because a colon becomes "%3A".
std::string UrlOf(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string url;
  for (const char c : path) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          kPlain.find(c) != std::string_view::npos;
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

std::string Header(const ReportModel& model) {
  std::string text = "<header>\n<div class=\"over\"><span>Composition report</span>";
  text += model.is_complete ? HtmlSpan("badge ok", "run completed") : HtmlSpan("badge fail", "run ended early");
  text += "</div>\n<h1>" + EscapeMarkup(model.title) + "</h1>\n";
  if (!model.subtitle.empty()) text += "<p class=\"subtitle\">" + EscapeMarkup(model.subtitle) + "</p>\n";
  if (!model.description.empty()) text += "<p>" + EscapeMarkup(model.description) + "</p>\n";
  text += "<ul class=\"period\">";
  const auto add = [&](std::string_view label, const std::string& value) {
    text += fmt::format("<li><span>{}</span><b>{}</b></li>", label, EscapeMarkup(value));
  };
  if (std::isfinite(model.from)) add("from", ShortIsoTime(model.from));
  if (std::isfinite(model.to)) add("to", ShortIsoTime(model.to));
  if (std::isfinite(model.warm_up_until)) add("warm-up until", ShortIsoTime(model.warm_up_until));
  if (std::isfinite(model.wall_seconds)) add("computed in", FormatSeconds(model.wall_seconds));
  if (!model.created.empty()) add("written", model.created);
  text += "</ul>\n";
  if (!model.results.empty()) {
    text += "<p class=\"results\">Results:";
    for (const auto& [kind, path] : model.results) {
      text += fmt::format(" <a href=\"{}\">{}</a>", EscapeMarkup(UrlOf(path)), EscapeMarkup(kind));
    }
    text += "</p>\n";
  }
  return text + "</header>\n";
}

}  // namespace

ReportDetail ChooseDetail(const ReportModel& model) {
  ReportDetail detail;
  std::size_t lines = 0;
  for (std::size_t i = 0; i < model.series.size() && i < detail.most_series; ++i) {
    const std::size_t elements = model.series[i].elements.size();
    lines += elements <= kMostLines ? elements : elements < kHeatMapFrom ? 9 : 16;
  }
  lines += 8 * model.comparisons.size();
  for (const ReportHydrograph& hydrograph : model.hydrographs) lines += 1 + hydrograph.flows.size();
  lines = std::max<std::size_t>(lines, 1);
  // A column of a line costs at most some 40 bytes, a point of a line that was thinned out 11.
  constexpr std::size_t most_columns = 36'000;
  constexpr std::size_t fewest = 40;
  detail.columns = std::clamp(most_columns / lines, fewest, detail.columns);
  constexpr std::size_t most_points = 280'000;
  constexpr std::size_t fewest_points = 160;
  detail.points = std::clamp(most_points / lines, fewest_points, detail.points);
  if (!model.maps.empty()) {
    detail.most_map_elements = std::max<std::size_t>(detail.most_map_elements / model.maps.size(), 500);
    detail.map_cells = std::max<std::size_t>(detail.map_cells / model.maps.size(), 60'000);
  }
  return detail;
}

PlotStyle StyleOf(const ReportDetail& detail, double height, double width) {
  PlotStyle style{.width = width, .height = height};
  style.columns = detail.columns;
  style.points = detail.points;
  return style;
}

std::vector<PlotSpan> WarmUpSpans(const ReportModel& model) {
  if (!std::isfinite(model.from) || !std::isfinite(model.warm_up_until) || model.warm_up_until <= model.from) return {};
  return {{model.from, model.warm_up_until, "warm-up"}};
}

std::string HtmlPicture(const std::string& svg, double least) {
  constexpr std::string_view mark = " width=\"";
  const std::size_t begin = svg.find(mark) + mark.size();
  double width = 0.0;
  std::from_chars(svg.data() + begin, svg.data() + svg.find('"', begin), width);
  return fmt::format("<div style=\"min-width:{:.0f}px;max-width:{:.0f}px;margin:0 auto\">{}</div>", least * width,
                     width, svg);
}

std::string HtmlReport(const ReportModel& model) {
  const ReportDetail detail = ChooseDetail(model);
  const std::array sections = {NotesSection(model),
                               DiagramSection(model),
                               ComparisonSection(model, detail),
                               HydrographSection(model, detail),
                               MapSection(model, detail),
                               SeriesSection(model, detail),
                               BalanceSection(model),
                               ProcessSection(model),
                               RunSection(model),
                               ProvenanceSection(model)};
  return HtmlPage(model.title, Header(model), model.key_figures, sections);
}

void WriteHtmlReport(const ReportModel& model, const std::filesystem::path& path) {
  WriteHtmlPage(HtmlReport(model), path);
}

}  // namespace openmi
