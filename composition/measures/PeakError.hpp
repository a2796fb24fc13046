#pragma once

#include "composition/measures/PairedValues.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// The largest observed and the largest simulated value of the pairs; NaN where undefined.
struct PeakError {
  double observed = kNotANumber;        ///< unit of the values
  double simulated = kNotANumber;       ///< unit of the values
  double observed_time = kNotANumber;   ///< Modified Julian Day of the first such value
  double simulated_time = kNotANumber;  ///< Modified Julian Day of the first such value
  double size = kNotANumber;            ///< (simulated - observed) / observed
  double hours = kNotANumber;           ///< positive where the simulated peak is late
};

/// Compares the highest peaks of the pairs, whether or not they belong to the same event.
PeakError ComparePeaks(const PairedValues& pairs);

}  // namespace openmi
