#pragma once

#include <limits>

namespace openmi {

/// The missing value of the SDK. It needs no test in a sum: the sum becomes missing.
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Whether `value` means "no value": it equals the sentinel `missing`, or it is not a number.
constexpr bool IsMissing(double value, double missing) {
  return value == missing || value != value;
}

}  // namespace openmi
