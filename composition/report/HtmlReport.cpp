#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>
#include <system_error>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr EnumNames<ReportTone> kFigureClasses{"figure", "figure ok", "figure caution", "figure fail"};

std::string KeyFigures(const ReportModel& model) {
  if (model.key_figures.empty()) return {};
  std::string text = "<div class=\"figures\">\n";
  for (const ReportKeyFigure& figure : model.key_figures) {
    text += fmt::format("<div class=\"{}\"><span>{}</span><b>{}{}</b>{}</div>\n", kFigureClasses.NameOf(figure.tone),
                        EscapeMarkup(figure.label), EscapeMarkup(figure.value),
                        figure.unit.empty() ? "" : " <i>" + EscapeMarkup(PrettyUnit(figure.unit)) + "</i>",
                        figure.note.empty() ? "" : "<small>" + EscapeMarkup(figure.note) + "</small>");
  }
  return text + "</div>\n";
}

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

/// For light and dark display, narrow pages and print.
std::string StyleSheet() {
  const std::string dark = DarkColours();
  return ":root{color-scheme:light;" + LightColours() +
         "}@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;" + dark +
         "}}@media screen{:root[data-theme=dark]{color-scheme:dark;" + dark + "}}" + InlineSvgStyle() + "\n" +
         std::string(EmbeddedReportFile("report.css"));
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
  // A column of a line costs at most some 80 bytes, as path and as read-out.
  constexpr std::size_t most_columns = 36000;
  constexpr std::size_t fewest = 40;
  detail.columns = std::clamp(most_columns / std::max<std::size_t>(lines, 1), fewest, detail.columns);
  if (!model.maps.empty()) {
    detail.most_map_elements = std::max<std::size_t>(detail.most_map_elements / model.maps.size(), 500);
    detail.map_cells = std::max<std::size_t>(detail.map_cells / model.maps.size(), 60'000);
  }
  return detail;
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
  std::string navigation;
  std::string body;
  for (const HtmlSection& section :
       {NotesSection(model), DiagramSection(model), ComparisonSection(model, detail), HydrographSection(model, detail),
        MapSection(model, detail), SeriesSection(model, detail), BalanceSection(model), RunSection(model),
        ProvenanceSection(model)}) {
    if (section.body.empty()) continue;
    navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, EscapeMarkup(section.title));
    body += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id, EscapeMarkup(section.title),
                        section.body);
  }
  return fmt::format(fmt::runtime(EmbeddedReportFile("page.html")), fmt::arg("title", EscapeMarkup(model.title)),
                     fmt::arg("styles", StyleSheet()), fmt::arg("header", Header(model)),
                     fmt::arg("navigation", navigation), fmt::arg("figures", KeyFigures(model)), fmt::arg("body", body),
                     fmt::arg("script", EmbeddedReportFile("report.js")));
}

void WriteHtmlReport(const ReportModel& model, const std::filesystem::path& path) {
  const std::string page = HtmlReport(model);
  std::filesystem::path part = path;
  part += ".part";
  const auto fail = [&](std::string_view what, const std::string& cause) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    Where where;
    where.file = path.string();
    throw FileError(std::move(where), fmt::format("expected to {} the report, found: {}", what, cause),
                    "check that the folder exists, may be written to and has room");
  };
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    if (!file) fail("open", std::error_code(errno, std::generic_category()).message());
    file.write(page.data(), static_cast<std::streamsize>(page.size()));
    file.flush();
    if (!file) fail("write", std::error_code(errno, std::generic_category()).message());
  }
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (error) fail("put in place", error.message());
}

}  // namespace openmi
