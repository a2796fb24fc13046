#pragma once

#include <string>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

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
