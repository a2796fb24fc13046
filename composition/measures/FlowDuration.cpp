#include "composition/measures/FlowDuration.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace openmi {

FlowDuration ComputeFlowDuration(std::span<const double> values) {
  FlowDuration curve;
  std::copy_if(values.begin(), values.end(), std::back_inserter(curve.values),
               [](double value) { return std::isfinite(value); });
  std::sort(curve.values.begin(), curve.values.end(), std::greater<>());
  const auto places = static_cast<double>(curve.values.size() + 1);
  for (std::size_t rank = 1; rank <= curve.values.size(); ++rank) {
    curve.exceedance.push_back(static_cast<double>(rank) / places);
  }
  return curve;
}

}  // namespace openmi
