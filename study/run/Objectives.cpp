#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/measures/WindowMeasures.hpp"
#include "composition/record/RunRecord.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/run/MemberResult.hpp"

namespace openmi {
namespace {

MeasureWindow WindowOf(const ObjectiveSpec& objective, const CompareSpec* compare, const RunSpec& run) {
  if (compare != nullptr && !objective.window.empty()) {
    const auto window = std::ranges::find(compare->windows, objective.window, &WindowSpec::label);
    if (window != compare->windows.end()) return {window->label, window->from->mjd, window->to->mjd};
  }
  return {"", (*run.from + run.warm_up).mjd, run.to->mjd};
}

double MeasureOf(ObjectiveMeasure measure, const PairedValues& pairs) {
  switch (measure) {
    case ObjectiveMeasure::Nse:
      return NashSutcliffe(pairs);
    case ObjectiveMeasure::Kge:
      return KlingGuptaEfficiency(pairs).efficiency;
    case ObjectiveMeasure::LogNse:
      return LogNashSutcliffe(pairs).efficiency;
    case ObjectiveMeasure::Volume:
      return VolumeError(pairs);
    case ObjectiveMeasure::Peak:
      return ComparePeaks(pairs).size;
    default:
      return RootMeanSquareError(pairs);
  }
}

/// Whether a value that was observed in the window was not simulated. Such a run has no measure: it would be judged by
/// what is left.
bool IsAnySimulationMissing(const RecordedComparison& comparison, const MeasureWindow& window) {
  for (std::size_t i = 0; i < comparison.times.size(); ++i) {
    if (!IsInside(window, comparison.times[i]) || !std::isfinite(comparison.observed[i])) continue;
    if (!std::isfinite(comparison.simulated[i])) return true;
  }
  return false;
}

/// The mean over several elements; NaN if one is.
class Mean {
 public:
  void Add(double value) {
    sum_ += value;
    ++count_;
  }
  double Value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : kNotANumber; }

 private:
  double sum_ = 0.0;
  std::size_t count_ = 0;
};

double CompareObjective(const ObjectiveSpec& objective, const RunSpec& run, const RunRecord& record,
                        double& persistence) {
  Mean mean, forecast;
  for (const RecordedComparison& comparison : record.comparisons) {
    if (comparison.spec->id != objective.compare) continue;
    if (!objective.element.empty() && comparison.element != objective.element) continue;
    const MeasureWindow window = WindowOf(objective, comparison.spec, run);
    if (IsAnySimulationMissing(comparison, window)) return kNotANumber;
    mean.Add(MeasureOf(objective.measure, PairUp(comparison.times, comparison.observed, comparison.simulated, window)));
    if (objective.measure == ObjectiveMeasure::Nse) {
      forecast.Add(
          PersistenceEfficiency(comparison.times, comparison.observed, window, 24.0, comparison.simulated).efficiency);
    }
  }
  persistence = forecast.Value();
  return mean.Value();
}

/// One number of the rows of one element after `from`; NaN if a value is missing.
double Summary(ObjectiveMeasure measure, const RecordedSeries& series, std::size_t element, double from) {
  const std::size_t width = series.series.Width();
  double sum = 0.0;
  double least = kNotANumber;
  double most = kNotANumber;
  double last = kNotANumber;
  std::size_t count = 0;
  for (std::size_t row = 0; row < series.times.size(); ++row) {
    const double value = series.values[row * width + element];
    if (series.times[row] <= from + kTimeTolerance.count) continue;
    if (std::isnan(value)) return kNotANumber;
    sum += value;
    ++count;
    least = std::fmin(least, value);
    most = std::fmax(most, value);
    last = value;
  }
  if (count == 0) return kNotANumber;
  switch (measure) {
    case ObjectiveMeasure::Mean:
      return sum / static_cast<double>(count);
    case ObjectiveMeasure::Sum:
      return sum;
    case ObjectiveMeasure::Minimum:
      return least;
    case ObjectiveMeasure::Maximum:
      return most;
    default:
      return last;
  }
}

double ItemObjective(const ObjectiveSpec& objective, const RunSpec& run, const RunRecord& record) {
  const double from = run.warm_up > Days() ? (*run.from + run.warm_up).mjd : -std::numeric_limits<double>::infinity();
  Mean mean;
  for (const RecordedSeries& series : record.series) {
    if (series.series.id != objective.item) continue;
    for (std::size_t element = 0; element < series.series.Width(); ++element) {
      if (!objective.element.empty() &&
          (series.series.elements.empty() || series.series.elements[element] != objective.element)) {
        continue;
      }
      mean.Add(Summary(objective.measure, series, element, from));
    }
  }
  return mean.Value();
}

}  // namespace

std::vector<double> ComputeObjectives(const StudyFile& study, const RunSpec& run, const RunRecord& record,
                                      std::vector<double>& persistence) {
  std::vector<double> values;
  persistence.assign(study.objectives.size(), kNotANumber);
  for (const ObjectiveSpec& objective : study.objectives) {
    double& forecast = persistence[values.size()];
    values.push_back(objective.compare.empty() ? ItemObjective(objective, run, record)
                                               : CompareObjective(objective, run, record, forecast));
  }
  return values;
}

std::vector<Observation> ObservationsOf(const RunRecord& record) {
  std::vector<Observation> observations;
  for (const RecordedComparison& one : record.comparisons) {
    observations.push_back({one.spec->id, one.spec->simulated.Text(), one.element, one.unit, one.times, one.observed});
  }
  return observations;
}

}  // namespace openmi
