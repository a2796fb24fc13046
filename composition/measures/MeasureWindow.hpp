#pragma once

#include <limits>
#include <string>

#include "timespace/Stamp.hpp"

namespace openmi {

/// A labelled part of a series, such as "calibration" or "validation".
///
/// A value belongs to the window when from < time <= to: a value stamped at the end of its span lies in the window that
/// its span lies in, and of two adjacent windows only one holds the value on their border. Times within
/// `kTimeTolerance` of an end count as being on it.
struct MeasureWindow {
  std::string label;
  double from = -std::numeric_limits<double>::infinity();  ///< Modified Julian Day, UTC; excluded
  double to = std::numeric_limits<double>::infinity();     ///< Modified Julian Day, UTC; included
};

/// Whether a value stamped `time` (Modified Julian Day) belongs to `window`.
constexpr bool IsInside(const MeasureWindow& window, double time) {
  return time > window.from + kTimeTolerance.count && time <= window.to + kTimeTolerance.count;
}

}  // namespace openmi
