#include "composition/report/SvgLinePlot.hpp"

#include <algorithm>
#include <cmath>

#include "composition/report/SvgDecimate.hpp"
#include "composition/report/SvgTheme.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr double kLeft = 66.0;
constexpr double kRight = 16.0;
constexpr double kBottom = 24.0;
constexpr double kSublabel = 14.0;

double LegendHeight(const PlotStyle& style, std::span<const LegendEntry> entries) {
  SvgWriter measure(style.width, style.height, SvgUse::Inline, "");
  return DrawLegend(measure, kLeft, 0.0, style.width - kRight, entries);
}

/// The area between the residuals and zero, on one side of zero.
std::string SurfacePath(const PlotPanel& panel, const PlotSeries& series, std::span<const std::size_t> indices,
                        double sign) {
  SvgPath path;
  const double zero = panel.Y(0.0);
  bool is_open = false;
  double last_x = 0.0;
  for (const std::size_t index : indices) {
    const double value = series.values[index];
    if (!std::isfinite(value)) {
      if (is_open) {
        path.LineTo(last_x, zero);
        path.ClosePath();
      }
      is_open = false;
      continue;
    }
    const double x = panel.X(series.times[index]);
    if (!is_open) {
      path.MoveTo(x, zero);
      is_open = true;
    }
    path.LineTo(x, value * sign > 0.0 ? panel.Y(value) : zero);
    last_x = x;
  }
  if (is_open) {
    path.LineTo(last_x, zero);
    path.ClosePath();
  }
  return path.Data();
}

}  // namespace

SvgValueAxis AxisForValues(ValueRange range, int at_most) {
  if (range.low > 0.0 && range.low < 0.6 * range.high) {
    range.low = 0.0;
  } else if (range.high < 0.0 && range.high > 0.6 * range.low) {
    range.high = 0.0;
  }
  return LinearAxis(range.low, range.high, at_most);
}

double DrawTitle(SvgWriter& svg, const PlotStyle& style) {
  if (style.title.empty()) {
    return 4.0;
  }
  svg.TextAt(kLeft, 22.0, FitText(style.title, 13.0, style.width - kLeft - kRight), "big");
  return 34.0;
}

PlotPanel SinglePanel(const PlotStyle& style, double legend_height, TimeRange times) {
  PlotPanel panel;
  panel.left = kLeft;
  panel.top = (style.title.empty() ? 4.0 : 34.0) + legend_height + 8.0;
  panel.width = style.width - kLeft - kRight;
  panel.from = times.from;
  panel.to = times.to;
  panel.in_seconds = style.in_seconds;
  if (times.IsEmpty()) {  // a single time is drawn in the middle of an hour, or of a second
    const double half = style.in_seconds ? 0.5 : 0.5 / 24.0;
    panel.from -= half;
    panel.to += half;
  }
  panel.height = style.height - panel.top - kBottom - (HasSublabels(panel) ? kSublabel : 0.0);
  return panel;
}

std::string LinePlotSvg(const LinePlot& plot, const PlotStyle& style) {
  std::vector<PlotSeries> series = plot.series;
  std::vector<LegendEntry> legend;
  ValueRange range{kNotANumber, kNotANumber};
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].css_class.empty()) {
      series[i].css_class = LineClass(i);
    }
    range = Join(range, RangeOfValues(series[i].values));
    legend.push_back({series[i].label, series[i].css_class});
  }
  if (std::isnan(range.low)) {
    return EmptyPlotSvg(style, "There are no values to draw.");
  }
  if (legend.size() < 2 && (style.title.empty() || style.title.starts_with(legend.front().label))) {
    legend.clear();  // the page, or the title, names a single line
  }
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "plot over time" : style.title);
  PlotPanel panel = SinglePanel(style, LegendHeight(style, legend), RangeOfTimes(series));
  panel.axis = AxisForValues(range, static_cast<int>(panel.height / 42.0) + 1);
  PlotReadout readout(panel);
  for (const PlotSeries& one : series) {
    readout.Add(one, plot.unit, DecimateIndices(one.times, one.values, panel.from, panel.to, style.columns / 2));
  }
  if (!style.in_seconds) svg.RootAttribute("data-plot", readout.Finish(panel.top + panel.height));
  DrawLegend(svg, kLeft, DrawTitle(svg, style), style.width - kRight, legend);
  DrawSpans(svg, panel, plot.spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, plot.unit);
  for (const PlotSeries& one : series) {
    DrawSeries(svg, panel, one, style.columns);
  }
  return svg.Finish();
}

std::string ResidualPlotSvg(const PlotSeries& residuals, const std::string& unit, const std::vector<PlotSpan>& spans,
                            const PlotStyle& style) {
  const ValueRange range = RangeOfValues(residuals.values);
  if (std::isnan(range.low)) {
    return EmptyPlotSvg(style, "There is no pair of an observed and a simulated value.");
  }
  const std::vector<LegendEntry> legend{{"simulated above observed", "over", true},
                                        {"simulated below observed", "under", true}};
  SvgWriter svg(style.width, style.height, style.use, "simulated minus observed, " + residuals.label);
  PlotPanel panel = SinglePanel(style, LegendHeight(style, legend), RangeOfTimes({&residuals, 1}));
  panel.axis =
      LinearAxis(std::min(range.low, 0.0), std::max(range.high, 0.0), static_cast<int>(panel.height / 38.0) + 1);
  const auto indices = DecimateIndices(residuals.times, residuals.values, panel.from, panel.to, style.columns);
  PlotReadout readout(panel);
  PlotSeries named = residuals;
  named.css_class = "m";
  readout.Add(named, unit, DecimateIndices(named.times, named.values, panel.from, panel.to, style.columns / 2));
  svg.RootAttribute("data-plot", readout.Finish(panel.top + panel.height));
  DrawLegend(svg, kLeft, DrawTitle(svg, style), style.width - kRight, legend);
  DrawSpans(svg, panel, spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, unit);
  svg.Path(SurfacePath(panel, residuals, indices, 1.0), "over");
  svg.Path(SurfacePath(panel, residuals, indices, -1.0), "under");
  svg.Line(panel.left, panel.Y(0.0), panel.left + panel.width, panel.Y(0.0), "zero");
  return svg.Finish();
}

}  // namespace openmi
