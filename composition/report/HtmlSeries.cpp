#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/OddElements.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

void AddExtremes(HtmlTable& table, const std::string& name, const ElementFigures& figures) {
  const auto at = [](double time) {
    return std::isfinite(time) ? HtmlSpan("muted", ShortIsoTime(time)) : std::string();
  };
  const std::string missing = FormatNumber(static_cast<double>(figures.missing), 9);
  table.AddRow({name, FormatNumber(figures.smallest), at(figures.smallest_time), FormatNumber(figures.Mean()),
                FormatNumber(figures.largest), at(figures.largest_time),
                FormatNumber(static_cast<double>(figures.count), 9),
                figures.missing > 0 ? HtmlSpan("warn", missing) : missing});
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

/// The elements of the table of extremes: those that are drawn by name, and, of fewer elements than can have odd ones,
/// those with missing values as far as there is room.
std::vector<std::size_t> ElementsToList(std::span<const ElementFigures> elements,
                                        const std::vector<std::size_t>& highlighted, std::size_t most) {
  std::vector<std::size_t> shown;
  if (elements.size() <= most) {
    shown.resize(elements.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    return shown;
  }
  shown = highlighted;
  for (std::size_t i = 0; i < elements.size() && elements.size() < kFewestForOdd && shown.size() < most; ++i) {
    if (elements[i].missing > 0 && std::ranges::find(shown, i) == shown.end()) shown.push_back(i);
  }
  return shown;
}

std::string ExtremesTable(const ReportSeries& series, const SeriesFigures& figures,
                          const std::vector<std::size_t>& highlighted, std::size_t most_elements) {
  const std::size_t elements = series.elements.size();
  HtmlTable table({{"Element", false, {}},
                   {"Smallest", true, {}},
                   {"at", false, "the first time it was reached"},
                   {"Mean", true, "of the values that are there"},
                   {"Largest", true, {}},
                   {"at", false, "the first time it was reached"},
                   {"Values", true, {}},
                   {"Missing", true, {}}});
  if (elements > 1) {
    AddExtremes(table, fmt::format("<b>all {}</b>", FormatNumber(static_cast<double>(elements), 9)), figures.All());
  }
  const std::vector<std::size_t> shown = ElementsToList(figures.Elements(), highlighted, most_elements);
  for (const std::size_t element : shown) {
    AddExtremes(table, ElementName(series.elements[element], !IsAllInvented(series)), figures.Elements()[element]);
  }
  std::string text = table.Finish();
  if (shown.size() < elements && elements < kFewestForOdd) {
    text += fmt::format(
        "<p class=\"fine\">{} of {} elements are listed: those drawn by name, and as many of those with missing values "
        "as fit.</p>",
        shown.size(), elements);
  }
  return text;
}

/// The elements that differ most from the others, with the reason.
std::string OddTable(const ReportModel& model, const ReportSeries& series, const SeriesFigures& figures) {
  if (series.elements.size() < kFewestForOdd) return {};
  const std::vector<OddElement> odd = OddElements(figures, series.unit, series.balance_errors, model.balance_tolerance);
  if (odd.empty()) {
    return fmt::format(
        "<p class=\"fine\">No element is odd: mean, smallest and largest value, the time of the largest one and the "
        "number of missing values are all within {:g} spreads of the median.</p>",
        kOddFrom);
  }
  HtmlTable table({{"Oddest elements", false, {}},
                   {"Why", false, {}},
                   {"Spreads", true, "how far from the median of all elements"},
                   {"Missing", true, {}}});
  for (const OddElement& one : odd) {
    const auto missing = static_cast<double>(figures.Elements()[one.element].missing);
    table.AddRow({ElementName(series.elements[one.element], !IsAllInvented(series)), EscapeMarkup(one.why),
                  FormatNumber(one.distance, 3), FormatNumber(missing, 9)});
  }
  return table.Finish("odd") +
         fmt::format(
             "<p class=\"fine\">Listed are at most ten elements whose mean, smallest or largest value, time of the "
             "largest "
             "one or number of missing values is {:g} or more spreads away from the median of all elements. A spread "
             "is "
             "1.4826 times the median distance from the median. A balance that is not closed counts as well.</p>",
             kOddFrom);
}

/// Where else the page shows a series, or why it is not drawn; empty: the series is drawn.
using NotDrawn = std::string_view;

std::string SeriesFigure(const ReportModel& model, const ReportSeries& series, const ReportDetail& detail,
                         NotDrawn not_drawn, ElementColours& colours) {
  CheckShape(series);
  const SeriesFigures figures =
      series.figures ? *series.figures
                     : SeriesFigures::Of(series.elements.size(), series.begins, series.times, series.values);
  ElementPlot plot;
  plot.unit = series.unit;
  plot.times = series.times;
  plot.values = series.values;
  plot.figures = &figures;
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
  if (plot.highlighted.empty() && series.is_whole) {
    plot.highlighted = ChooseHighlights(series.elements.size(), series.values);
  }
  PlotStyle style = StyleOf(detail, 290.0);
  std::string picture;
  if (not_drawn.empty()) {
    picture = ElementPlotSvg(plot, style);
    if (plot.elements.size() >= kHeatMapFrom && plot.elements.size() <= kMostHeatRows && series.is_whole) {
      style.height = std::clamp(70.0 + 9.0 * static_cast<double>(plot.elements.size()), 200.0, 460.0);
      picture += HeatMapSvg(plot, style);
    }
  } else {
    picture = fmt::format("<p class=\"fine\">{}</p>", not_drawn);
  }
  std::string note = series.caption;
  note += (note.empty() || series.as.empty() ? "" : ", ") + series.as;
  note += (note.empty() || series.unit.empty() ? "" : ", ") + PrettyUnit(series.unit);
  return HtmlFigure(
      series.item, note, all_invented, picture,
      ExtremesTable(series, figures, plot.highlighted, detail.most_elements) + OddTable(model, series, figures));
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

namespace {

/// "m³ s⁻¹, 100 000 elements, colours from the 1 % to the 99 % quantile".
std::string MapNote(const std::string& unit, std::size_t elements, std::string_view how) {
  std::string note = PrettyUnit(unit);
  if (elements < kFewestForOuterPercent) return note;
  return fmt::format("{}{}{} elements{}, colours from the 1 % to the 99 % quantile", note, note.empty() ? "" : ", ",
                     FormatNumber(static_cast<double>(elements), 9), how);
}

}  // namespace

HtmlSection MapSection(const ReportModel& model, const ReportDetail& detail) {
  HtmlSection section{"maps", "Maps", {}};
  for (const ElementMap& map : model.maps) {
    if (!map.elements.empty() && map.elements.size() <= detail.most_map_elements) {
      const bool all_invented = std::ranges::all_of(map.elements, &MapElement::is_invented);
      section.body += HtmlFigure(map.title, MapNote(map.unit, map.elements.size(), ""), all_invented, MapSvg(map));
      continue;
    }
    if (map.places == nullptr) continue;
    ElementMap image = map;
    image.elements.clear();
    section.body += HtmlFigure(map.title, MapNote(map.unit, map.values.size(), " as one image"), false,
                               MapSvg(image, {.height = 520.0}, detail.map_cells));
  }
  return section;
}

}  // namespace openmi
