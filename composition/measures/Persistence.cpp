#include "composition/measures/Persistence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/measures/Efficiency.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

Persistence PersistenceEfficiency(std::span<const double> times, std::span<const double> observed,
                                  const MeasureWindow& window, double hours, std::span<const double> simulated) {
  if (times.size() != observed.size() || (!simulated.empty() && simulated.size() != times.size())) {
    throw RangeError(
        {},
        fmt::format("expected as many values as times, found {} times and {} values", times.size(), observed.size()),
        "give one value, or NaN, for each time");
  }
  if (!(hours > 0.0)) {
    throw RangeError({}, fmt::format("expected hours of persistence above zero, found {}", hours), "give 24, say");
  }
  Persistence result{.hours = hours};
  PairedValues pairs;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!IsInside(window, times[i])) continue;
    const double wanted = times[i] - hours / 24.0;
    const auto earlier = std::lower_bound(times.begin(), times.end(), wanted - kTimeTolerance.count);
    const bool is_there = earlier != times.end() && *earlier <= wanted + kTimeTolerance.count;
    const double forecast =
        is_there ? observed[static_cast<std::size_t>(earlier - times.begin())] : std::nan("no value at that time");
    const bool is_simulated = simulated.empty() || std::isfinite(simulated[i]);
    if (!std::isfinite(forecast) || !std::isfinite(observed[i]) || !is_simulated) {
      ++result.missing;
      continue;
    }
    pairs.times.push_back(times[i]);
    pairs.observed.push_back(observed[i]);
    pairs.simulated.push_back(forecast);
  }
  result.pairs = pairs.times.size();
  result.efficiency = NashSutcliffe(pairs);
  return result;
}

}  // namespace openmi
