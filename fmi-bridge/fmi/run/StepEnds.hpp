#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace openmi::fmi {

// Times of steps are sums and products of floating-point numbers, so the same time may differ by some last bits: from
// 0.28 on, a step of 0.02 ends after 0.3. An FMU need not go beyond its stop time, not even by a last bit.

inline constexpr double kNoStep = std::numeric_limits<double>::infinity();

/// Four units in the last place of a time.
inline double LastBits(double time) {
  return 4.0 * (std::nextafter(std::abs(time), kNoStep) - std::abs(time));
}

/// The difference of times that counts as none: a small part of a step, or four units in the last place.
/// \param largest  the largest time of the run
inline double ToleranceOfTimes(double step, double largest) {
  return std::max(1e-9 * step, LastBits(largest));
}

/// The difference that counts as none between times that an FMU computes and those of its importer: what sums of many
/// steps come to, at most a nanosecond and a thousandth of a step, or four units in the last place.
inline double ToleranceWithin(double time, double step = kNoStep) {
  return std::max(LastBits(time), std::min({1e-12 * std::max(1.0, std::abs(time)), 1e-9, 1e-3 * step}));
}

/// The end of a whole last step, as an FMU finds it that adds.
/// \param from  its start
/// \param end   its end by another way
inline double EndOfLastStep(double from, double step, double end) {
  return std::max(end, from + step);
}

/// The length of a part of a step, whose sum with `from` is not above `end`.
inline double LengthUntil(double from, double end) {
  const double length = end - from;
  return from + length > end ? std::nextafter(length, 0.0) : length;
}

}  // namespace openmi::fmi
