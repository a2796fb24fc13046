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

/// Flow duration curves over per cent of time, values on a logarithmic axis; values that are not above zero are left
/// out of the picture, and that is said in it.
std::string FlowDurationSvg(const std::vector<FlowDurationSeries>& series, const std::string& unit,
                            const PlotStyle& style = {});

}  // namespace openmi
