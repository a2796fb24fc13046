#pragma once

#include <cmath>

#include "timespace/Stamp.hpp"

namespace openmi {

/// The length of a distance between two stamps in seconds, without the digits that days cost.
///
/// A stamp near MJD 60000 resolves 0.63 microseconds, so an hour between two stamps is 3599.9999998 s as often as not.
/// A distance that is a whole number of milliseconds within the tolerance of equal times is that number.
inline double WholeSeconds(Days distance) {
  const double seconds = ToSeconds(distance);
  const double whole = std::nearbyint(seconds * 1e3) / 1e3;
  return std::abs(seconds - whole) <= ToSeconds(kTimeTolerance) ? whole : seconds;
}

/// The seconds from one stamp to another, likewise without the digits that days cost.
///
/// Each stamp counts as the whole millisecond of its day that it is within the tolerance, if it is one. So distances
/// add up: those of the pieces of a span are that of the whole, wherever it is cut.
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
