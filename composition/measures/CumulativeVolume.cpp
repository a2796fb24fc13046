#include "composition/measures/CumulativeVolume.hpp"

#include <fmt/format.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi {

CumulativeVolume AccumulateVolume(std::span<const double> times, std::span<const double> values, VolumeRule rule,
                                  double begin, double scale) {
  if (times.size() != values.size()) {
    throw RangeError(
        {}, fmt::format("expected as many values as times, found {} times and {} values", times.size(), values.size()),
        "give one value, or NaN, for each time");
  }
  constexpr double seconds_per_day = 86400.0;
  CumulativeVolume result;
  result.volumes.reserve(values.size());
  double total = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_missing = !std::isfinite(values[i]);
    result.missing += is_missing ? 1 : 0;
    const double start = i > 0 ? times[i - 1] : begin;
    // The first value has no earlier instant for a straight line: it is used for its whole span.
    const double before = rule == VolumeRule::Trapezoid && i > 0 ? values[i - 1] : values[i];
    const double mean = 0.5 * (before + values[i]);
    const double added = mean * (times[i] - start) * seconds_per_day * scale;
    if (std::isfinite(added)) total += added;
    result.volumes.push_back(total);
  }
  return result;
}

}  // namespace openmi
