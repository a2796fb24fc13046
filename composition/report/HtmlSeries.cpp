#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// Extremes of one element, or of all elements of an item.
struct Extremes {
  double smallest = kNotANumber;
  double largest = kNotANumber;
  double smallest_time = kNotANumber;
  double largest_time = kNotANumber;
  double sum = 0.0;
  std::size_t count = 0;
  std::size_t missing = 0;

  void Add(double time, double value) {
    if (!std::isfinite(value)) {
      ++missing;
      return;
    }
    if (!(value >= smallest)) {
      smallest = value;
      smallest_time = time;
    }
    if (!(value <= largest)) {
      largest = value;
      largest_time = time;
    }
    sum += value;
    ++count;
  }

  double Mean() const { return count > 0 ? sum / static_cast<double>(count) : std::nan("no value"); }
};

void AddExtremes(HtmlTable& table, const std::string& name, const Extremes& extremes) {
  const auto at = [](double time) {
    return std::isfinite(time) ? HtmlSpan("muted", ShortIsoTime(time)) : std::string();
  };
  const std::string missing = FormatNumber(static_cast<double>(extremes.missing), 9);
  table.AddRow({name, FormatNumber(extremes.smallest), at(extremes.smallest_time), FormatNumber(extremes.Mean()),
                FormatNumber(extremes.largest), at(extremes.largest_time),
                FormatNumber(static_cast<double>(extremes.count), 9),
                extremes.missing > 0 ? HtmlSpan("warn", missing) : missing});
}

/// \param is_marked  whether an invented element is marked; not needed if the title states it for all
std::string ElementName(const ReportElement& element, bool is_marked) {
  return (element.id.empty() ? HtmlSpan("muted", "value") : EscapeMarkup(element.id)) +
         (element.is_invented && is_marked ? " " + HtmlSpan("badge invented", "invented") : "");
}

bool IsAllInvented(const ReportSeries& series) {
  return !series.elements.empty() && std::ranges::all_of(series.elements, &ReportElement::is_invented);
}

void CheckShape(const ReportSeries& series) {
  if (series.values.size() != series.times.size() * series.elements.size()) {
    throw RangeError(
        {.file = {}, .line = 0, .component = {}, .item = series.item},
        fmt::format("expected {} times x {} elements = {} values, found {}", series.times.size(),
                    series.elements.size(), series.times.size() * series.elements.size(), series.values.size()),
        "give one value, or NaN, for each time and element");
  }
}

std::string ExtremesTable(const ReportSeries& series, const std::vector<std::size_t>& highlighted,
                          std::size_t most_elements) {
  const std::size_t elements = series.elements.size();
  std::vector<Extremes> extremes(elements);
  Extremes all;
  for (std::size_t i = 0; i < series.values.size(); ++i) {
    extremes[i % elements].Add(series.times[i / elements], series.values[i]);
    all.Add(series.times[i / elements], series.values[i]);
  }
  HtmlTable table({{"Element", false, {}},
                   {"Smallest", true, {}},
                   {"at", false, "the first time it was reached"},
                   {"Mean", true, "of the values that are there"},
                   {"Largest", true, {}},
                   {"at", false, "the first time it was reached"},
                   {"Values", true, {}},
                   {"Missing", true, {}}});
  if (elements > 1) AddExtremes(table, "<b>" + fmt::format("all {}", elements) + "</b>", all);
  std::vector<std::size_t> shown = highlighted;
  for (std::size_t i = 0; i < elements && shown.size() < most_elements; ++i) {
    if (extremes[i].missing > 0 && std::find(shown.begin(), shown.end(), i) == shown.end()) shown.push_back(i);
  }
  if (elements <= most_elements) {
    shown.resize(elements);
    for (std::size_t i = 0; i < elements; ++i) shown[i] = i;
  }
  for (const std::size_t element : shown) {
    AddExtremes(table, ElementName(series.elements[element], !IsAllInvented(series)), extremes[element]);
  }
  std::string text = table.Finish();
  if (shown.size() < elements) {
    text += fmt::format(
        "<p class=\"fine\">{} of {} elements are listed: those drawn by name, and as many of those with missing values "
        "as fit.</p>",
        shown.size(), elements);
  }
  return text;
}

/// Where else the page shows a series, or why it is not drawn; empty: the series is drawn.
using NotDrawn = std::string_view;

std::string SeriesFigure(const ReportModel& model, const ReportSeries& series, const ReportDetail& detail,
                         NotDrawn not_drawn, ElementColours& colours) {
  CheckShape(series);
  ElementPlot plot;
  plot.unit = series.unit;
  plot.times = series.times;
  plot.values = series.values;
  plot.begins = series.begins;
  plot.shape = series.shape;
  plot.spans = WarmUpSpans(model);
  const bool all_invented = IsAllInvented(series);
  for (const ReportElement& element : series.elements) {
    plot.elements.push_back(element.id + (element.is_invented && !all_invented ? " (invented)" : ""));
  }
  const bool is_one_without_id = plot.elements.size() == 1 && plot.elements[0].empty();
  if (plot.elements.size() <= kMostLines && !is_one_without_id) plot.colours = colours.Of(plot.elements);
  for (const std::size_t element : series.highlighted) {
    if (element < series.elements.size()) plot.highlighted.push_back(element);
  }
  if (plot.highlighted.empty()) plot.highlighted = ChooseHighlights(series.elements.size(), series.values);
  PlotStyle style{.height = 290.0};
  style.columns = detail.columns;
  std::string picture;
  if (not_drawn.empty()) {
    picture = ElementPlotSvg(plot, style);
    if (plot.elements.size() >= kHeatMapFrom) {
      style.height = std::clamp(70.0 + 9.0 * static_cast<double>(plot.elements.size()), 200.0, 460.0);
      picture += HeatMapSvg(plot, style);
    }
  } else {
    picture = fmt::format("<p class=\"fine\">{}</p>", not_drawn);
  }
  std::string note = series.caption;
  note += (note.empty() || series.as.empty() ? "" : ", ") + series.as;
  note += (note.empty() || series.unit.empty() ? "" : ", ") + PrettyUnit(series.unit);
  return HtmlFigure(series.item, note, all_invented, picture,
                    ExtremesTable(series, plot.highlighted, detail.most_elements));
}

/// The id of the item without its component: "q" of "reach-7.q".
std::string_view OwnId(const ReportSeries& series) {
  return std::string_view(series.item).substr(series.item.find('.') + 1);
}

/// Joins series of the same item of several components, one value each, into one series with the components as
/// elements.
///
/// All other series stay unchanged. The order is that of the first of each.
std::vector<ReportSeries> TogetherWhereAlike(const std::vector<ReportSeries>& all) {
  constexpr std::size_t kFewest = 4;
  const auto is_single = [](const ReportSeries& series) {
    return series.elements.size() == 1 && series.elements.front().id.empty() &&
           series.item.find('.') != std::string::npos && series.values.size() == series.times.size();
  };
  const auto are_alike = [&](const ReportSeries& a, const ReportSeries& b) {
    return is_single(a) && is_single(b) && OwnId(a) == OwnId(b) && a.unit == b.unit && a.as == b.as &&
           a.shape == b.shape && a.times == b.times && a.begins == b.begins;
  };
  std::vector<ReportSeries> together;
  std::vector<bool> is_taken(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_taken[i]) continue;
    std::vector<std::size_t> group;
    for (std::size_t j = i; j < all.size() && is_single(all[i]); ++j) {
      if (!is_taken[j] && are_alike(all[i], all[j])) group.push_back(j);
    }
    if (group.size() < kFewest) {
      together.push_back(all[i]);
      continue;
    }
    ReportSeries series = all[i];
    series.item = fmt::format("{} of {} components", OwnId(all[i]), group.size());
    series.elements.clear();
    series.values.assign(series.times.size() * group.size(), 0.0);
    for (std::size_t k = 0; k < group.size(); ++k) {
      const ReportSeries& one = all[group[k]];
      is_taken[group[k]] = true;
      if (one.caption != series.caption) series.caption.clear();  // it does not describe the others
      series.elements.push_back({one.item.substr(0, one.item.find('.')), one.elements.front().is_invented});
      for (std::size_t row = 0; row < series.times.size(); ++row) {
        series.values[row * group.size() + k] = one.values[row];
      }
    }
    together.push_back(std::move(series));
  }
  return together;
}

}  // namespace

HtmlSection SeriesSection(const ReportModel& model, const ReportDetail& detail) {
  HtmlSection section{"items", "Observed items", {}};
  ElementColours colours;
  const auto is_hydrograph = [&model](const ReportSeries& series) {
    return std::ranges::find(model.hydrographs, series.item, &ReportHydrograph::title) != model.hydrographs.end();
  };
  std::size_t drawn = 0;
  for (const ReportSeries& series : TogetherWhereAlike(model.series)) {
    const NotDrawn not_drawn = is_hydrograph(series) ? "Drawn under Hydrographs."
                               : drawn++ >= detail.most_series
                                   ? "Not drawn: there are more items than a report can show."
                                   : "";
    section.body += SeriesFigure(model, series, detail, not_drawn, colours);
  }
  return section;
}

HtmlSection MapSection(const ReportModel& model, const ReportDetail& detail) {
  HtmlSection section{"maps", "Maps", {}};
  for (const ElementMap& map : model.maps) {
    if (map.elements.size() > detail.most_map_elements) {
      section.body += HtmlFigure(map.title, {}, false,
                                 fmt::format("<p class=\"fine\">Not drawn: {} elements are more than a report can "
                                             "show.</p>",
                                             map.elements.size()));
      continue;
    }
    const bool all_invented = std::ranges::all_of(map.elements, &MapElement::is_invented);
    section.body += HtmlFigure(map.title, PrettyUnit(map.unit), all_invented && !map.elements.empty(), MapSvg(map));
  }
  return section;
}

}  // namespace openmi
