#include "composition/measures/WindowMeasures.hpp"

#include <algorithm>
#include <cstddef>

namespace openmi {

PeakError ComparePeaks(const PairedValues& pairs) {
  PeakError peak;
  if (pairs.observed.empty()) return peak;
  const auto index_of_largest = [](const std::vector<double>& values) {
    return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
  };
  const std::size_t observed = index_of_largest(pairs.observed);
  const std::size_t simulated = index_of_largest(pairs.simulated);
  peak.observed = pairs.observed[observed];
  peak.simulated = pairs.simulated[simulated];
  peak.observed_time = pairs.times[observed];
  peak.simulated_time = pairs.times[simulated];
  if (peak.observed != 0.0) peak.size = (peak.simulated - peak.observed) / peak.observed;
  peak.hours = (peak.simulated_time - peak.observed_time) * 24.0;
  return peak;
}

std::vector<WindowMeasures> ComputeMeasures(std::span<const double> times, std::span<const double> observed,
                                            std::span<const double> simulated, std::span<const MeasureWindow> windows,
                                            double persistence_hours) {
  std::vector<WindowMeasures> results;
  results.reserve(windows.size());
  for (const MeasureWindow& window : windows) {
    const PairedValues pairs = PairUp(times, observed, simulated, window);
    WindowMeasures measures;
    measures.window = window;
    measures.pairs = pairs.times.size();
    measures.missing = pairs.missing;
    measures.nash_sutcliffe = NashSutcliffe(pairs);
    measures.kling_gupta = KlingGuptaEfficiency(pairs);
    measures.log_nash_sutcliffe = LogNashSutcliffe(pairs);
    measures.volume_error = VolumeError(pairs);
    measures.root_mean_square_error = RootMeanSquareError(pairs);
    measures.mean_bias = MeanBias(pairs);
    measures.peak = ComparePeaks(pairs);
    measures.persistence = PersistenceEfficiency(times, observed, window, persistence_hours, simulated);
    results.push_back(std::move(measures));
  }
  return results;
}

}  // namespace openmi
