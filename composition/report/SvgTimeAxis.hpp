#pragma once

#include <string>
#include <vector>

namespace openmi {

/// A mark on a time axis.
struct TimeTick {
  double time = 0.0;     ///< Modified Julian Day
  std::string label;     ///< "2015-12-05", or "06:00" if days are too coarse
  std::string sublabel;  ///< the date below the first tick and below each new day; else empty
};

/// "2015-12-05"; the number if it is not within the years -9999 to 9999.
std::string ShortIsoDate(double modified_julian_day);

/// "2015-12-05T06:00Z"; seconds, to the millisecond, only if they are not zero; "-" if not finite.
std::string ShortIsoTime(double modified_julian_day);

/// Round times between `from` and `to`, at most `at_most` of them if possible (`at_most` >= 2).
///
/// Empty unless from < to and both are finite.
std::vector<TimeTick> TimeTicks(double from, double to, int at_most);

}  // namespace openmi
