#include "composition/report/SvgFlowDuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/report/SvgLinePlot.hpp"
#include "composition/report/SvgTheme.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

std::string FlowDurationSvg(const std::vector<FlowDurationSeries>& series, const std::string& unit,
                            const PlotStyle& style) {
  ValueRange range{kNotANumber, kNotANumber};
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
  if (std::isnan(range.low)) {
    return EmptyPlotSvg(style, "There is no value above zero to draw.");
  }
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
    if (!path.IsEmpty()) {
      svg.Path(path.Data(), legend[i].css_class);
    }
  }
  if (left_out > 0) {
    svg.TextAt(panel.left + panel.width - 4.0, panel.top + 12.0,
               fmt::format("{} values not above zero are not drawn", left_out), "m small i", "end");
  }
  return svg.Finish();
}

}  // namespace openmi
