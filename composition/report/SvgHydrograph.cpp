#include "composition/report/SvgHydrograph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/report/SvgDecimate.hpp"
#include "composition/report/SvgLinePlot.hpp"
#include "composition/report/SvgTheme.hpp"

namespace openmi {
namespace {

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
    while (end < pixels && deepest[end] == deepest[x] && is_missing[end] == is_missing[x]) {
      ++end;
    }
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
  if (!gaps.IsEmpty()) {
    svg.Path(gaps.Data(), "nodata");
  }
  if (!bars.IsEmpty()) {
    svg.Path(bars.Data(), "rain");
  }
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

std::string HydrographSvg(const Hydrograph& hydrograph, const PlotStyle& style) {
  std::vector<PlotSeries> flows = hydrograph.flows;
  std::vector<LegendEntry> legend;
  ValueRange range = RangeOfValues(hydrograph.observed.values);
  const bool has_observed = !std::isnan(range.low);
  const ValueRange rain_range = RangeOfValues(hydrograph.rain.values);
  const bool has_rain = !std::isnan(rain_range.low);
  if (has_rain) {
    legend.push_back({hydrograph.rain.label, "rain", true});
  }
  PlotSeries observed = hydrograph.observed;
  observed.css_class = "obs";
  if (has_observed) {
    legend.push_back({observed.label, "obs"});
  }
  for (std::size_t i = 0; i < flows.size(); ++i) {
    flows[i].css_class = flows[i].css_class.empty() ? LineClass(i) : flows[i].css_class;
    range = Join(range, RangeOfValues(flows[i].values));
    legend.push_back({flows[i].label, flows[i].css_class});
  }
  if (std::isnan(range.low)) {
    return EmptyPlotSvg(style, "There are no flows to draw.");
  }
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
  if (has_observed) {
    DrawSeries(svg, panel, observed, style.columns);
  }
  for (const PlotSeries& flow : flows) {
    DrawSeries(svg, panel, flow, style.columns);
  }
  PlotReadout readout(top);
  const auto add = [&](const PlotSeries& series, const std::string& unit) {
    readout.Add(series, unit, DecimateIndices(series.times, series.values, panel.from, panel.to, style.columns / 2));
  };
  if (has_rain) {
    PlotSeries rain = hydrograph.rain;
    rain.css_class = "rain";
    add(rain, hydrograph.rain_unit);
  }
  if (has_observed) {
    add(observed, hydrograph.flow_unit);
  }
  for (const PlotSeries& flow : flows) {
    add(flow, hydrograph.flow_unit);
  }
  svg.RootAttribute("data-plot", readout.Finish(panel.top + panel.height));
  return svg.Finish();
}

}  // namespace openmi
