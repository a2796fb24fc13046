#pragma once

#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Lines over time, all in one unit.
struct LinePlot {
  std::string unit;
  std::vector<PlotSeries> series;
  std::vector<PlotSpan> spans;  ///< shaded stretches
};

/// Draws `plot`; values from zero on where they are not far from it. Long series are thinned out for drawing.
std::string LinePlotSvg(const LinePlot& plot, const PlotStyle& style = {});

/// Simulated minus observed over time, the surface filled above (too much) and below (too little) zero.
/// The style of `residuals` is ignored.
std::string ResidualPlotSvg(const PlotSeries& residuals, const std::string& unit, const std::vector<PlotSpan>& spans,
                            const PlotStyle& style = {});

/// The axis for values of a line plot: from zero on where the values are not far from it.
SvgValueAxis AxisForValues(ValueRange range, int at_most);

/// The frame of a plot with one panel: room for the axes, `legend_height` pixels above for the legend.
PlotPanel SinglePanel(const PlotStyle& style, double legend_height, TimeRange times);

/// Where the legend of a plot begins, in pixels; writes the title, if there is one.
double DrawTitle(SvgWriter& svg, const PlotStyle& style);

}  // namespace openmi
