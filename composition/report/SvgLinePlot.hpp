#pragma once

#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Lines over time, all in one unit.
struct LinePlot {
  std::string unit;
  std::vector<PlotSeries> series;
  std::vector<PlotSpan> spans;  ///< shaded spans
};

/// Draws `plot`; the axis starts at zero if the values are not far from it. Long series are thinned out for drawing.
std::string LinePlotSvg(const LinePlot& plot, const PlotStyle& style = {});

/// Draws simulated minus observed over time, with the area filled above zero (too much) and below zero (too little).
///
/// The style of `residuals` is ignored.
std::string ResidualPlotSvg(const PlotSeries& residuals, const std::string& unit, const std::vector<PlotSpan>& spans,
                            const PlotStyle& style = {});

/// The value axis of a line plot: it starts at zero if the values are not far from it.
SvgValueAxis AxisForValues(ValueRange range, int at_most);

/// The frame of a plot with one panel, with space for the axes and `legend_height` pixels above for the legend.
PlotPanel SinglePanel(const PlotStyle& style, double legend_height, TimeRange times);

/// The top of the legend of a plot, in pixels; writes the title, if there is one.
double DrawTitle(SvgWriter& svg, const PlotStyle& style);

}  // namespace openmi
