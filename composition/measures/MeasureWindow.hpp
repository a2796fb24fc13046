#pragma once

#include <limits>
#include <string>

namespace openmi {

/// A labelled part of a series, such as "calibration" or "validation".
///
/// A value belongs to the window when from < time <= to: a value stamped at the end of its span lies in the window that
/// its span lies in, and of two adjacent windows only one holds the value on their border. Times within `kSameTimeDays`
/// of an end count as being on it.
struct MeasureWindow {
  std::string label;
  double from = -std::numeric_limits<double>::infinity();  ///< Modified Julian Day, UTC; excluded
  double to = std::numeric_limits<double>::infinity();     ///< Modified Julian Day, UTC; included
};

/// Two stamps closer than this (2 microseconds, in days) are one time.
inline constexpr double kSameTimeDays = 2.0e-6 / 86400.0;

/// Whether a value stamped `time` (Modified Julian Day) belongs to `window`.
constexpr bool IsInside(const MeasureWindow& window, double time) {
  return time > window.from + kSameTimeDays && time <= window.to + kSameTimeDays;
}

}  // namespace openmi
