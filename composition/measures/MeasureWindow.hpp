#pragma once

#include <limits>
#include <string>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A labelled part of a series, such as "calibration" or "validation".
///
/// A value belongs to the window when from < time <= to. A value stamped at the end of its span thus lies in the window
/// of its span, and only one of two adjacent windows holds the value on their border. A time within `kTimeTolerance` of
/// an end counts as equal to it.
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
