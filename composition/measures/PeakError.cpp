#include "composition/measures/PeakError.hpp"

#include <algorithm>
#include <cstddef>

namespace openmi {

PeakError ComparePeaks(const PairedValues& pairs) {
  PeakError peak;
  if (pairs.observed.empty()) {
    return peak;
  }
  const auto index_of_largest = [](const std::vector<double>& values) {
    return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  };
  const std::size_t observed = index_of_largest(pairs.observed);
  const std::size_t simulated = index_of_largest(pairs.simulated);
  peak.observed = pairs.observed[observed];
  peak.simulated = pairs.simulated[simulated];
  peak.observed_time = pairs.times[observed];
  peak.simulated_time = pairs.times[simulated];
  if (peak.observed != 0.0) {
    peak.size = (peak.simulated - peak.observed) / peak.observed;
  }
  peak.hours = (peak.simulated_time - peak.observed_time) * 24.0;
  return peak;
}

}  // namespace openmi
