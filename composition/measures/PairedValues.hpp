#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/measures/MeasureWindow.hpp"

namespace openmi {

/// Observed and simulated values of the same times, all present and finite; three lists of equal length.
struct PairedValues {
  std::vector<double> times;      ///< Modified Julian Day, UTC
  std::vector<double> observed;   ///< any unit
  std::vector<double> simulated;  ///< the unit of `observed`
  std::size_t missing = 0;        ///< times of the window that were omitted because a value was missing
};

/// Collects the pairs of `window`. A pair with a value that is missing (NaN) or infinite is omitted and counted.
///
/// \param times      Modified Julian Days; shape [n]
/// \param observed   NaN where missing; shape [n]
/// \param simulated  NaN where missing; shape [n], unit of `observed`
/// \pre   times.size() == observed.size() && observed.size() == simulated.size()
/// \throws RangeError  the lengths differ
PairedValues PairUp(std::span<const double> times, std::span<const double> observed, std::span<const double> simulated,
                    const MeasureWindow& window = {});

}  // namespace openmi
