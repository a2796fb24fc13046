#pragma once

#include <string>
#include <vector>

#include "composition/measures/FlowDuration.hpp"
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

/// One curve of a flow duration plot.
struct FlowDurationSeries {
  std::string label;
  FlowDuration curve;
  std::string css_class;  ///< empty: the next colour
};

/// Draws flow duration curves over the per cent of time, values on a logarithmic axis.
///
/// Values that are not above zero are omitted, and a note in the picture states it.
std::string FlowDurationSvg(const std::vector<FlowDurationSeries>& series, const std::string& unit,
                            const PlotStyle& style = {});

/// Flows and the rain that caused them. The data are borrowed and must outlive the drawing.
struct Hydrograph {
  PlotSeries rain;  ///< amounts or rates; no times: no rain, and the flows fill the picture
  std::string rain_unit;
  std::vector<PlotSeries> flows;  ///< simulated, one or several
  PlotSeries observed;            ///< no times: no observation
  std::string flow_unit;
  std::vector<PlotSpan> spans;  ///< shaded: the warm-up
};

/// Draws the rain from the top downwards and the flows from the bottom upwards, over one time axis.
std::string HydrographSvg(const Hydrograph& hydrograph, const PlotStyle& style = {.height = 380.0});

}  // namespace openmi
