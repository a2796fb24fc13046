#pragma once

#include <cmath>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// The length of a difference of two stamps in seconds, without the rounding error of days.
///
/// A stamp near MJD 60000 has a resolution of 0.63 microseconds, so the hour between two stamps is often 3599.9999998
/// s. When the length is a whole number of milliseconds within the tolerance of equal times, the result is that number.
inline double WholeSeconds(Days distance) {
  const double seconds = ToSeconds(distance);
  const double whole = std::nearbyint(seconds * 1e3) / 1e3;
  return std::abs(seconds - whole) <= ToSeconds(kTimeTolerance) ? whole : seconds;
}

/// The seconds from one stamp to another, without the rounding error of days.
///
/// Each stamp counts as a whole millisecond of its day when it is one within the tolerance. So the lengths add up: the
/// lengths of the parts of a span sum to the length of the span, for any partition.
inline double SecondsBetween(Stamp from, Stamp to) {
  constexpr double kTolerance = 1e3 * kTimeTolerance.count * kSecondsPerDay;  // in ms
  const auto of_day = [](double fraction) {
    const double ms = fraction * (1e3 * kSecondsPerDay);
    const double whole = std::nearbyint(ms);
    return std::abs(ms - whole) <= kTolerance ? whole : ms;
  };
  const double first = std::floor(from.mjd);
  const double last = std::floor(to.mjd);
  return ((last - first) * (1e3 * kSecondsPerDay) + (of_day(to.mjd - last) - of_day(from.mjd - first))) / 1e3;
}

}  // namespace openmi
