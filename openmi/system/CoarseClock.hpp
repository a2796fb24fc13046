#pragma once

#include <chrono>
#include <ctime>

namespace openmi {

/// The time of std::chrono::steady_clock, some milliseconds late at most, in a quarter of the time that its `now`
/// takes. For what is done every few tenths of a second and looked at in every step.
inline std::chrono::steady_clock::time_point CoarseNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return std::chrono::steady_clock::time_point(std::chrono::seconds(now.tv_sec) +
                                               std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace openmi
