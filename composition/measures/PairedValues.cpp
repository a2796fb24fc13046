#include "composition/measures/PairedValues.hpp"

#include <fmt/format.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi {

PairedValues PairUp(std::span<const double> times, std::span<const double> observed, std::span<const double> simulated,
                    const MeasureWindow& window) {
  if (times.size() != observed.size() || times.size() != simulated.size()) {
    throw RangeError({},
                     fmt::format("expected as many observed and simulated values as times, found {} times, {} observed "
                                 "and {} simulated values",
                                 times.size(), observed.size(), simulated.size()),
                     "pair values of equal times, with NaN where one is missing");
  }
  PairedValues pairs;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!IsInside(window, times[i])) continue;
    if (!std::isfinite(observed[i]) || !std::isfinite(simulated[i])) {
      ++pairs.missing;
      continue;
    }
    pairs.times.push_back(times[i]);
    pairs.observed.push_back(observed[i]);
    pairs.simulated.push_back(simulated[i]);
  }
  return pairs;
}

}  // namespace openmi
