#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// How a value fills the time to the value before it.
enum class VolumeRule {
  Span,      ///< the value is the mean over the span that ends at its time
  Trapezoid  ///< the value is an instant; straight lines between instants
};

/// The volume that a rate accumulates to.
struct CumulativeVolume {
  std::vector<double> volumes;  ///< shape of the values; up to and including each time
  std::size_t missing = 0;      ///< values that were missing; their spans add nothing
};

/// Integrates `values` (per second) over time: m3 s-1 becomes m3.
///
/// \param times   Modified Julian Days, ascending; shape [n]
/// \param values  NaN where missing; shape [n]
/// \param begin   start of the span of the first value (Modified Julian Day); NaN: the first value adds nothing
/// \param scale   factor on the sum, such as 1 / 3600 if the values are per hour
/// \throws RangeError  the lengths differ
CumulativeVolume AccumulateVolume(std::span<const double> times, std::span<const double> values,
                                  VolumeRule rule = VolumeRule::Span, double begin = kNotANumber, double scale = 1.0);

}  // namespace openmi
