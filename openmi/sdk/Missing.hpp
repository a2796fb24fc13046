#pragma once

#include <limits>

namespace openmi {

/// The missing value that needs no test: it passes through any sum by itself.
inline constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// True where `value` stands for "no value": it equals the sentinel `missing`, or it is not a number.
constexpr bool IsMissing(double value, double missing) {
  return value == missing || value != value;
}

}  // namespace openmi
