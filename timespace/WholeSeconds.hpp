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

}  // namespace openmi
