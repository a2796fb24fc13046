#include "composition/report/SvgElementPlots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "composition/report/PlotData.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/report/SvgPlotFrame.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgValueAxis.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

void CheckShape(const ElementPlot& plot) {
  if (plot.values.empty() && plot.figures != nullptr) return;
  if (plot.values.size() != plot.times.size() * plot.elements.size()) {
    throw RangeError({},
                     fmt::format("expected {} times x {} elements = {} values, found {}", plot.times.size(),
                                 plot.elements.size(), plot.times.size() * plot.elements.size(), plot.values.size()),
                     "give one value, or NaN, for each time and element");
  }
}

std::vector<double> ValuesOfElement(const ElementPlot& plot, std::size_t element) {
  std::vector<double> column(plot.times.size());
  for (std::size_t i = 0; i < column.size(); ++i) column[i] = plot.values[i * plot.elements.size() + element];
  return column;
}

/// Quantiles over the elements, at each time or over the times of one pixel column.
struct Bands {
  std::vector<double> begins;  // of steps
  std::vector<double> times;
  std::array<std::vector<double>, 5> quantiles;  // lowest, quarter, median, three quarters, highest
  bool are_extremes = true;                      // the lowest and the highest are the smallest and the largest value
};

/// Elements from which on single ones do not decide how far the bands go.
constexpr std::size_t kMany = 20;

SeriesFigures FiguresOf(const ElementPlot& plot) {
  std::vector<double> begins(plot.begins.begin(), plot.begins.end());
  if (begins.empty() && plot.shape == PlotShape::Step) {  // a step starts where the one before ends
    begins.assign(plot.times.begin(), plot.times.end());
    for (std::size_t i = 1; i < begins.size(); ++i) begins[i] = plot.times[i - 1];
  }
  return SeriesFigures::Of(plot.elements.size(), begins, plot.times, plot.values);
}

Bands BandsOf(const ElementPlot& plot, std::size_t columns) {
  Bands bands;
  bands.are_extremes = plot.elements.size() < kMany;
  const std::array<std::size_t, 5> chosen{bands.are_extremes ? 0U : 1U, 2, 3, 4, bands.are_extremes ? 6U : 5U};
  const auto all = plot.figures != nullptr ? plot.figures->Bands(columns) : FiguresOf(plot).Bands(columns);
  for (const FigureBand& band : all) {
    // Steps end at their times; points of one pixel column are drawn in its middle.
    bands.times.push_back(plot.shape == PlotShape::Step ? band.end : 0.5 * (band.begin + band.end));
    bands.begins.push_back(band.begin);
    for (std::size_t q = 0; q < chosen.size(); ++q) bands.quantiles[q].push_back(band.quantiles[chosen[q]]);
  }
  return bands;
}

/// \param shape  of the edges: a step holds over the span that ends at its time
std::string BandPath(const PlotPanel& panel, const Bands& bands, std::size_t lower, std::size_t upper,
                     PlotShape shape) {
  SvgPath path;
  const bool is_step = shape == PlotShape::Step;
  const double hair = 1e-6 * (panel.to - panel.from);
  const auto is_missing = [&](std::size_t i) { return std::isnan(bands.quantiles[0][i]); };
  for (std::size_t begin = 0; begin < bands.times.size();) {
    if (is_missing(begin)) {
      ++begin;
      continue;
    }
    std::size_t end = begin + 1;
    while (end < bands.times.size() && !is_missing(end) &&
           !(is_step && bands.begins[end] > bands.times[end - 1] + hair)) {
      ++end;
    }
    const auto point = [&](double time, double value) { path.LineTo(panel.X(time), panel.Y(value)); };
    const bool has_first = is_step && bands.begins[begin] < bands.times[begin];
    path.MoveTo(panel.X(has_first ? bands.begins[begin] : bands.times[begin]), panel.Y(bands.quantiles[upper][begin]));
    if (has_first) point(bands.times[begin], bands.quantiles[upper][begin]);
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (is_step) point(bands.begins[i], bands.quantiles[upper][i]);
      point(bands.times[i], bands.quantiles[upper][i]);
    }
    for (std::size_t i = end; i-- > begin;) {
      point(bands.times[i], bands.quantiles[lower][i]);
      if (is_step && (i > begin || has_first)) point(bands.begins[i], bands.quantiles[lower][i]);
    }
    path.ClosePath();
    begin = end;
  }
  return path.Data();
}

std::string LinesSvg(const ElementPlot& plot, const PlotStyle& style) {
  std::vector<std::vector<double>> columns;
  for (std::size_t element = 0; element < plot.elements.size(); ++element) {
    columns.push_back(ValuesOfElement(plot, element));
  }
  LinePlot lines{.unit = plot.unit, .series = {}, .spans = plot.spans};
  for (std::size_t element = 0; element < columns.size(); ++element) {
    const bool has_colour = element < plot.colours.size();
    lines.series.push_back({plot.elements[element], plot.times, columns[element], plot.shape,
                            has_colour ? LineClass(plot.colours[element]) : std::string(), plot.begins});
  }
  return LinePlotSvg(lines, style);
}

/// The limits of the cells of a heat map: spans unchanged, instants from midpoint to midpoint.
struct CellTimes {
  std::vector<double> begins, ends;
  double shortest = 0.0;  // length of the shortest cell, above 0; 0 if there is only one time
};

CellTimes CellTimesOf(const ElementPlot& plot) {
  CellTimes cells;
  const std::size_t count = plot.times.size();
  const bool has_spans = plot.shape == PlotShape::Step && !plot.begins.empty();
  const auto middle = [&](std::size_t i) { return 0.5 * (plot.times[i] + plot.times[i + 1]); };
  for (std::size_t i = 0; i < count; ++i) {
    const double after = i + 1 < count ? middle(i) : plot.times[i] + (i > 0 ? plot.times[i] - middle(i - 1) : 0.0);
    const double before = i > 0 ? middle(i - 1) : plot.times[i] - (after - plot.times[i]);
    cells.begins.push_back(has_spans ? plot.begins[i] : before);
    cells.ends.push_back(has_spans ? plot.times[i] : after);
    const double length = cells.ends.back() - cells.begins.back();
    if (length > 0.0 && (cells.shortest == 0.0 || length < cells.shortest)) cells.shortest = length;
  }
  return cells;
}

/// The mean of the finite values in each cell of `columns` x `rows`; NaN if there is none.
///
/// A value counts in each column whose middle lies in its span, and in at least one.
std::vector<double> CellMeans(const ElementPlot& plot, const CellTimes& times, const PlotPanel& panel,
                              std::size_t columns, std::size_t rows) {
  std::vector<double> sums(columns * rows, 0.0);
  std::vector<std::size_t> counts(columns * rows, 0);
  const double last_column = static_cast<double>(columns) - 1.0;
  const auto place = [&](double time) {
    return (time - panel.from) / (panel.to - panel.from) * static_cast<double>(columns);
  };
  for (std::size_t i = 0; i < plot.times.size(); ++i) {
    const double begin = place(times.begins[i]);
    const double end = place(times.ends[i]);
    const double middle = std::floor(0.5 * (begin + end));
    // Column c has its middle at c + 0.5.
    const double first = std::min(std::ceil(begin - 0.5 + 1e-9), middle);
    const double last = std::max(std::ceil(end - 0.5 - 1e-9) - 1.0, middle);
    const auto from = static_cast<std::size_t>(std::clamp(first, 0.0, last_column));
    const auto to = static_cast<std::size_t>(std::clamp(last, 0.0, last_column));
    for (std::size_t element = 0; element < plot.elements.size(); ++element) {
      const double value = plot.values[i * plot.elements.size() + element];
      if (!std::isfinite(value)) continue;
      for (std::size_t column = from; column <= to; ++column) {
        const std::size_t cell = element * rows / plot.elements.size() * columns + column;
        sums[cell] += value;
        ++counts[cell];
      }
    }
  }
  for (std::size_t cell = 0; cell < sums.size(); ++cell) {
    sums[cell] = counts[cell] > 0 ? sums[cell] / static_cast<double>(counts[cell]) : kNotANumber;
  }
  return sums;
}

void DrawElementLabels(SvgWriter& svg, const ElementPlot& plot, const PlotPanel& panel) {
  const auto most = static_cast<std::size_t>(panel.height / 13.0);
  const std::size_t every = std::max<std::size_t>(1, (plot.elements.size() + most - 1) / most);
  const double row = panel.height / static_cast<double>(plot.elements.size());
  for (std::size_t element = 0; element < plot.elements.size(); element += every) {
    svg.TextAt(panel.left - 8.0, panel.top + (static_cast<double>(element) + 0.5) * row + 3.8,
               FitText(plot.elements[element], 11.0, panel.left - 14.0), "m", "end");
  }
}

}  // namespace

std::vector<std::size_t> ElementColours::Of(std::span<const std::string> elements) {
  std::set<std::size_t> taken;  // by elements of this plot
  std::set<std::size_t> given;  // by any element
  for (const auto& [id, colour] : known_) given.insert(colour);
  std::vector<std::size_t> colours(elements.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto known = known_.find(elements[i]);
    if (known != known_.end() && taken.insert(known->second).second) {
      colours[i] = known->second;
    } else {
      open.push_back(i);
    }
  }
  const auto first_free = [](const std::set<std::size_t>& used) {
    std::size_t colour = 0;
    while (used.contains(colour)) ++colour;
    return colour;
  };
  for (const std::size_t i : open) {
    std::size_t colour = first_free(given);
    if (colour >= kLineClasses) colour = first_free(taken);
    colours[i] = colour;
    taken.insert(colour);
    given.insert(colour);
    known_.emplace(elements[i], colour);
  }
  return colours;
}

std::vector<std::size_t> ChooseHighlights(std::size_t elements, std::span<const double> values, std::size_t count) {
  std::vector<double> means(elements, 0.0);
  std::vector<std::size_t> counts(elements, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) {
      means[i % elements] += values[i];
      ++counts[i % elements];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t element = 0; element < elements; ++element) {
    if (counts[element] > 0) {
      means[element] /= static_cast<double>(counts[element]);
      order.push_back(element);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return means[a] > means[b]; });
  if (order.size() <= count) return order;
  // Of many, an outlier would flatten all others.
  const std::size_t cut = order.size() < kFewestForOuterPercent ? 0 : order.size() / 20;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i) {
    chosen.push_back(order[cut + (count == 1 ? 0 : i * (order.size() - 1 - 2 * cut) / (count - 1))]);
  }
  return chosen;
}

std::string ElementPlotSvg(const ElementPlot& plot, const PlotStyle& style) {
  CheckShape(plot);
  if (plot.elements.size() <= kMostLines) return LinesSvg(plot, style);
  const Bands bands = BandsOf(plot, style.columns);
  ValueRange range = Join(RangeOfValues(bands.quantiles.front()), RangeOfValues(bands.quantiles.back()));
  if (std::isnan(range.low)) return EmptyPlotSvg(style, "There are no values to draw.");
  std::vector<std::vector<double>> columns;
  std::vector<PlotSeries> series;
  columns.reserve(plot.highlighted.size());
  for (const std::size_t element : plot.highlighted) {
    columns.push_back(ValuesOfElement(plot, element));
    range = Join(range, RangeOfValues(columns.back()));
    series.push_back(
        {plot.elements[element], plot.times, columns.back(), plot.shape, LineClass(series.size() + 1), plot.begins});
  }
  const std::string count = FormatNumber(static_cast<double>(plot.elements.size()), 9);
  std::vector<LegendEntry> legend{
      {fmt::format(fmt::runtime(bands.are_extremes ? "all {} elements" : "5 to 95 % of {} elements"), count), "range",
       true},
      {"25 to 75 %", "quart", true},
      {"median", "l s0"}};
  for (const PlotSeries& one : series) legend.push_back({one.label, one.css_class});
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "plot over time" : style.title);
  PlotPanel panel = SinglePanel(style, 0.0, {bands.begins.front(), bands.times.back()});
  const double legend_top = DrawTitle(svg, style);
  const double legend_height = DrawLegend(svg, panel.left, legend_top, panel.left + panel.width, legend);
  panel.top += legend_height;
  panel.height -= legend_height;
  panel.axis = AxisForValues(range, static_cast<int>(panel.height / 42.0) + 1);
  DrawSpans(svg, panel, plot.spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, plot.unit);
  svg.Path(BandPath(panel, bands, 0, 4, plot.shape), "range");
  svg.Path(BandPath(panel, bands, 1, 3, plot.shape), "quart");
  const PlotSeries median{
      "median",   bands.times, bands.quantiles[2],
      plot.shape, "l s0",      plot.begins.empty() ? std::span<const double>() : std::span<const double>(bands.begins)};
  for (const PlotSeries& one : series) DrawSeries(svg, panel, one, style.columns);
  DrawSeries(svg, panel, median, style.columns);
  PlotData data(panel, style);
  data.Shade(plot.spans);
  const std::array<std::string, 5> names{bands.are_extremes ? "smallest" : "5 %", "25 %", "median", "75 %",
                                         bands.are_extremes ? "largest" : "95 %"};
  const std::array<const char*, 5> looks{"range", "quart", "l s0", "quart", "range"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    PlotSeries line = median;
    line.label = names[i];
    line.values = bands.quantiles[i];
    line.css_class = looks[i];
    data.Add(line, plot.unit);
  }
  for (const PlotSeries& one : series) data.Add(one, plot.unit);
  data.WriteTo(svg);
  return svg.Finish();
}

std::string HeatMapSvg(const ElementPlot& plot, const PlotStyle& style) {
  CheckShape(plot);
  ValueRange range = RangeOfValues(plot.values);
  if (std::isnan(range.low) || plot.times.empty()) return EmptyPlotSvg(style, "There are no values to draw.");
  const CellTimes times = CellTimesOf(plot);
  PlotPanel panel = SinglePanel(style, 0.0, {times.begins.front(), times.ends.back()});
  panel.left = 110.0;
  panel.top += 12.0;  // for the unit above the colour bar
  panel.height -= 12.0;
  panel.width = style.width - panel.left - 90.0;
  // One column for each shortest step, as far as the width allows it.
  const double wanted = times.shortest > 0.0 ? std::round((panel.to - panel.from) / times.shortest) : 1.0;
  const auto columns = static_cast<std::size_t>(std::clamp(
      wanted, 1.0, static_cast<double>(std::max<std::size_t>(1, std::min<std::size_t>(480, style.columns)))));
  const std::size_t rows = std::min<std::size_t>(plot.elements.size(), 160);
  const std::vector<double> cells = CellMeans(plot, times, panel, columns, rows);
  if (plot.elements.size() >= kFewestForOuterPercent) range = MiddleRange(cells);
  const SvgValueAxis axis = LinearAxis(range.low, range.high, 8);
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "heat map" : style.title);
  DrawTitle(svg, style);
  svg.Rectangle(panel.left, panel.top, panel.width, panel.height, "nodata");
  DrawCells(svg, {panel.left, panel.top, panel.width, panel.height}, cells, columns, range.low, range.high, true);
  const double bottom = panel.top + panel.height;
  PlotPanel below = panel;
  below.top = bottom;
  below.height = 4.0;
  DrawTimeAxis(svg, below);
  DrawElementLabels(svg, plot, panel);
  DrawColourBar(svg, {style.width - 74.0, panel.top, 12.0, panel.height}, axis, range.low, range.high, plot.unit);
  return svg.Finish();
}

}  // namespace openmi
