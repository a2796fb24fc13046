#include "composition/measures/WindowMeasures.hpp"

namespace openmi {

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
