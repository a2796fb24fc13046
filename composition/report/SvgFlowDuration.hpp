#pragma once

#include <string>
#include <vector>

#include "composition/measures/FlowDuration.hpp"
#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

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

}  // namespace openmi
