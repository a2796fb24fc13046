#pragma once

#include <limits>

#include "composition/measures/PairedValues.hpp"

namespace openmi {

/// The largest observed and the largest simulated value of the pairs; NaN where undefined.
struct PeakError {
  double observed = std::numeric_limits<double>::quiet_NaN();        ///< unit of the values
  double simulated = std::numeric_limits<double>::quiet_NaN();       ///< unit of the values
  double observed_time = std::numeric_limits<double>::quiet_NaN();   ///< Modified Julian Day of the first such value
  double simulated_time = std::numeric_limits<double>::quiet_NaN();  ///< Modified Julian Day of the first such value
  double size = std::numeric_limits<double>::quiet_NaN();            ///< (simulated - observed) / observed
  double hours = std::numeric_limits<double>::quiet_NaN();           ///< positive where the simulated peak is late
};

/// Compares the highest peaks of the pairs, whether or not they belong to the same event.
PeakError ComparePeaks(const PairedValues& pairs);

}  // namespace openmi
