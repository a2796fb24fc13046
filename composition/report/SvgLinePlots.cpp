#include "composition/report/SvgLinePlots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/report/PlotData.hpp"
#include "composition/report/SvgPlotFrame.hpp"
#include "composition/report/SvgTheme.hpp"

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

constexpr double kRainShare = 0.24;
constexpr double kGap = 22.0;

/// Draws bars from the top: each value fills the span that ends at its time; of several in one pixel the largest is
/// visible.
void DrawRain(SvgWriter& svg, const PlotPanel& panel, const PlotSeries& rain) {
  const auto pixels = static_cast<std::size_t>(panel.width);
  std::vector<double> deepest(pixels, 0.0);
  std::vector<bool> is_missing(pixels, false);
  for (std::size_t i = 0; i < std::min(rain.times.size(), rain.values.size()); ++i) {
    const double span = !rain.begins.empty() ? rain.times[i] - rain.begins[i]
                        : i > 0              ? rain.times[i] - rain.times[i - 1]
                                             : (rain.times.size() > 1 ? rain.times[1] - rain.times[0] : 0.0);
    const double last = static_cast<double>(pixels) - 1.0;
    const auto column = [&](double time) {
      return static_cast<std::size_t>(std::clamp(std::floor(panel.X(time) - panel.left), 0.0, last));
    };
    const std::size_t end = column(rain.times[i]);
    for (std::size_t x = std::min(column(rain.times[i] - span), end); x <= end; ++x) {
      if (std::isfinite(rain.values[i])) {
        deepest[x] = std::max(deepest[x], rain.values[i]);
      } else {
        is_missing[x] = true;
      }
    }
  }
  SvgPath bars;
  SvgPath gaps;
  for (std::size_t x = 0; x < pixels;) {
    std::size_t end = x;
    while (end < pixels && deepest[end] == deepest[x] && is_missing[end] == is_missing[x]) ++end;
    const double left = panel.left + static_cast<double>(x);
    const double right = panel.left + static_cast<double>(end);
    SvgPath& path = is_missing[x] ? gaps : bars;
    const double depth = is_missing[x] ? panel.top + 4.0 : panel.Y(deepest[x]);
    if (is_missing[x] || deepest[x] > 0.0) {
      path.MoveTo(left, panel.top);
      path.LineTo(right, panel.top);
      path.LineTo(right, depth);
      path.LineTo(left, depth);
      path.ClosePath();
    }
    x = end;
  }
  if (!gaps.IsEmpty()) svg.Path(gaps.Data(), "nodata");
  if (!bars.IsEmpty()) svg.Path(bars.Data(), "rain");
}

/// From zero to a little more than the largest value: there is little space, and a rounded end would waste it.
SvgValueAxis RainAxis(double largest) {
  SvgValueAxis axis = LinearAxis(0.0, std::max(largest, 0.0), 4);
  if (largest > 0.0) {
    axis.high = 1.04 * largest;
    std::erase_if(axis.ticks, [&](const ValueTick& tick) { return tick.value > axis.high; });
  }
  return axis;
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
  if (style.title.empty()) return 4.0;
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
  ValueRange range{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (series[i].css_class.empty()) series[i].css_class = LineClass(i);
    range = Join(range, RangeOfValues(series[i].values));
    legend.push_back({series[i].label, series[i].css_class});
  }
  if (std::isnan(range.low)) return EmptyPlotSvg(style, "There are no values to draw.");
  if (legend.size() < 2 && (style.title.empty() || style.title.starts_with(legend.front().label))) {
    legend.clear();  // the page, or the title, names a single line
  }
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "plot over time" : style.title);
  PlotPanel panel = SinglePanel(style, LegendHeight(style, legend), RangeOfTimes(series));
  panel.axis = AxisForValues(range, static_cast<int>(panel.height / 42.0) + 1);
  PlotData data(panel, style);
  data.Shade(plot.spans);
  for (const PlotSeries& one : series) data.Add(one, plot.unit);
  data.WriteTo(svg);
  DrawLegend(svg, kLeft, DrawTitle(svg, style), style.width - kRight, legend);
  DrawSpans(svg, panel, plot.spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, plot.unit);
  for (const PlotSeries& one : series) DrawSeries(svg, panel, one, style.columns);
  return svg.Finish();
}

std::string ResidualPlotSvg(const PlotSeries& residuals, const std::string& unit, const std::vector<PlotSpan>& spans,
                            const PlotStyle& style) {
  const ValueRange range = RangeOfValues(residuals.values);
  if (std::isnan(range.low)) return EmptyPlotSvg(style, "There is no pair of an observed and a simulated value.");
  const std::vector<LegendEntry> legend{{"simulated above observed", "over", true},
                                        {"simulated below observed", "under", true}};
  SvgWriter svg(style.width, style.height, style.use, "simulated minus observed, " + residuals.label);
  PlotPanel panel = SinglePanel(style, LegendHeight(style, legend), RangeOfTimes({&residuals, 1}));
  panel.axis =
      LinearAxis(std::min(range.low, 0.0), std::max(range.high, 0.0), static_cast<int>(panel.height / 38.0) + 1);
  const auto indices = DecimateIndices(residuals.times, residuals.values, panel.from, panel.to, style.columns);
  PlotData data(panel, style);
  data.Shade(spans);
  PlotSeries named = residuals;
  named.css_class = "difference";
  data.Add(named, unit);
  data.WriteTo(svg);
  DrawLegend(svg, kLeft, DrawTitle(svg, style), style.width - kRight, legend);
  DrawSpans(svg, panel, spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, unit);
  svg.Path(SurfacePath(panel, residuals, indices, 1.0), "over");
  svg.Path(SurfacePath(panel, residuals, indices, -1.0), "under");
  svg.Line(panel.left, panel.Y(0.0), panel.left + panel.width, panel.Y(0.0), "zero");
  return svg.Finish();
}

std::string FlowDurationSvg(const std::vector<FlowDurationSeries>& series, const std::string& unit,
                            const PlotStyle& style) {
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  ValueRange range{missing, missing};
  std::size_t left_out = 0;
  std::vector<LegendEntry> legend;
  for (const FlowDurationSeries& one : series) {
    legend.push_back({one.label, one.css_class.empty() ? LineClass(legend.size()) : one.css_class});
    for (const double value : one.curve.values) {
      if (value > 0.0) {
        range = Join(range, {value, value});
      } else {
        ++left_out;
      }
    }
  }
  if (std::isnan(range.low)) return EmptyPlotSvg(style, "There is no value above zero to draw.");
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "flow duration curve" : style.title);
  PlotPanel panel = SinglePanel(style, 0.0, {0.0, 1.0});
  const double legend_height = DrawLegend(svg, panel.left, DrawTitle(svg, style), panel.left + panel.width, legend);
  panel.top += legend_height;
  panel.height = style.height - panel.top - 38.0;
  panel.axis = LogarithmicAxis(range.low, range.high);
  const double bottom = panel.top + panel.height;
  for (int percent = 0; percent <= 100; percent += 20) {
    const double x = panel.X(percent / 100.0);
    svg.Line(x, panel.top, x, bottom, "grid");
    svg.TextAt(x, bottom + 16.0, fmt::format("{}\xE2\x80\x89%", percent), "m", "middle");
  }
  svg.TextAt(panel.left + panel.width / 2.0, bottom + 31.0, "share of time in which the value is reached or exceeded",
             "m small", "middle");
  DrawValueAxis(svg, panel, unit);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const FlowDuration& curve = series[i].curve;
    SvgPath path;
    double last_x = -10.0;
    double last_y = -10.0;
    for (std::size_t k = 0; k < curve.values.size() && curve.values[k] > 0.0; ++k) {
      const double x = panel.X(curve.exceedance[k]);
      const double y = panel.Y(curve.values[k]);
      if (path.IsEmpty()) {
        path.MoveTo(x, y);
      } else if (x - last_x > 0.8 || std::abs(y - last_y) > 1.5 || k + 1 == curve.values.size()) {
        path.LineTo(x, y);  // the curve is monotonic, so points closer than a pixel change nothing
      } else {
        continue;
      }
      last_x = x;
      last_y = y;
    }
    if (!path.IsEmpty()) svg.Path(path.Data(), legend[i].css_class);
  }
  if (left_out > 0) {
    svg.TextAt(panel.left + panel.width - 4.0, panel.top + 12.0,
               fmt::format("{} values not above zero are not drawn", left_out), "m small i", "end");
  }
  return svg.Finish();
}

std::string HydrographSvg(const Hydrograph& hydrograph, const PlotStyle& style) {
  std::vector<PlotSeries> flows = hydrograph.flows;
  std::vector<LegendEntry> legend;
  ValueRange range = RangeOfValues(hydrograph.observed.values);
  const bool has_observed = !std::isnan(range.low);
  const ValueRange rain_range = RangeOfValues(hydrograph.rain.values);
  const bool has_rain = !std::isnan(rain_range.low);
  if (has_rain) legend.push_back({hydrograph.rain.label, "rain", true});
  PlotSeries observed = hydrograph.observed;
  observed.css_class = "obs";
  if (has_observed) legend.push_back({observed.label, "obs"});
  for (std::size_t i = 0; i < flows.size(); ++i) {
    flows[i].css_class = flows[i].css_class.empty() ? LineClass(i) : flows[i].css_class;
    range = Join(range, RangeOfValues(flows[i].values));
    legend.push_back({flows[i].label, flows[i].css_class});
  }
  if (std::isnan(range.low)) return EmptyPlotSvg(style, "There are no flows to draw.");
  std::vector<PlotSeries> all = flows;
  all.push_back(observed);
  SvgWriter svg(style.width, style.height, style.use, style.title.empty() ? "hydrograph" : style.title);
  PlotPanel panel = SinglePanel(style, 0.0, RangeOfTimes(all));
  const double legend_height = DrawLegend(svg, panel.left, DrawTitle(svg, style), panel.left + panel.width, legend);
  panel.top += legend_height;
  panel.height -= legend_height;

  PlotPanel top = panel;
  if (has_rain) {
    top.height = std::floor(panel.height * kRainShare);
    top.is_inverted = true;
    top.axis = RainAxis(rain_range.high);
    panel.top += top.height + kGap;
    panel.height -= top.height + kGap;
    std::vector<PlotSpan> spans = hydrograph.spans;
    for (PlotSpan& span : spans) {
      span.label.clear();  // written below, where there are no bars
    }
    DrawSpans(svg, top, spans);
    DrawTimeAxis(svg, top, false);
    DrawValueAxis(svg, top, hydrograph.rain_unit);
    DrawRain(svg, top, hydrograph.rain);
  }
  panel.axis = AxisForValues(range, static_cast<int>(panel.height / 42.0) + 1);
  DrawSpans(svg, panel, hydrograph.spans);
  DrawTimeAxis(svg, panel);
  DrawValueAxis(svg, panel, hydrograph.flow_unit);
  if (has_observed) DrawSeries(svg, panel, observed, style.columns);
  for (const PlotSeries& flow : flows) DrawSeries(svg, panel, flow, style.columns);
  PlotData data(panel, style);
  data.Shade(hydrograph.spans);
  if (has_rain) {
    PlotSeries rain = hydrograph.rain;
    rain.css_class = "rain";
    rain.shape = PlotShape::Step;
    data.Add(rain, hydrograph.rain_unit);
  }
  if (has_observed) data.Add(observed, hydrograph.flow_unit);
  for (const PlotSeries& flow : flows) data.Add(flow, hydrograph.flow_unit);
  data.WriteTo(svg);
  return svg.Finish();
}

}  // namespace openmi
