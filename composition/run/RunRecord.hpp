#pragma once

#include <optional>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/results/ResultSeries.hpp"
#include "composition/run/ComponentMeter.hpp"
#include "composition/run/LinkBalanceFigures.hpp"
#include "composition/run/LoopFigures.hpp"
#include "composition/run/Pace.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// An observed item as the run kept it for the report.
struct RecordedSeries {
  ResultSeries series;
  const ObserveSpec* spec = nullptr;
  std::vector<double> begins;  ///< of rows, Modified Julian Day, UTC; of an instant, its time
  std::vector<double> times;   ///< ends of rows, Modified Julian Day, UTC
  std::vector<double> values;  ///< row by row, NaN where missing; shape [times * width]
  bool is_whole = true;        ///< false: too many values, only the first rows were kept
};

/// One simulated series against one observed series.
struct RecordedComparison {
  const CompareSpec* spec = nullptr;
  std::string element;  ///< id; empty where there are no elements
  std::string unit;
  bool is_span = false;           ///< values over spans, else at instants
  std::vector<double> times;      ///< where there is a simulated value; ends of rows
  std::vector<double> simulated;  ///< in `unit`, NaN where missing
  std::vector<double> observed;   ///< in `unit`, NaN where missing or not there
  std::size_t unmatched = 0;      ///< observed values at times that were not simulated
};

/// How long the steps of a component took, without those of the providers that it called from within; seconds.
struct RecordedSteps {
  double median = 0.0;
  double percentile_99 = 0.0;
  double longest = 0.0;
};

struct RecordedTiming {
  std::string component;
  double seconds = 0.0;
  std::uint64_t updates = 0;
  std::optional<RecordedSteps> steps;  ///< with RunOptions::step_times
};

/// Everything a run leaves in memory for its report and for whoever started it.
struct RunRecord {
  bool is_complete = false;
  double reached_mjd = 0.0;  ///< how far the run came, UTC
  double wall_seconds = 0.0;
  std::uint64_t passes = 0;
  RunMode mode = RunMode::Pull;
  Problems problems;  ///< of the check and of the run
  std::vector<RecordedSeries> series;
  std::vector<RecordedComparison> comparisons;
  std::vector<std::pair<std::string, LinkBalanceFigures>> links;            ///< "a.x -> b.y"
  std::vector<std::pair<std::string, std::string>> not_balanced;  ///< links of conserved quantities, and why not
  std::vector<std::pair<std::string, ComponentBalanceFigures>> components;  ///< by component id
  std::vector<RecordedTiming> timings;
  bool is_timing_estimated = false;  ///< some passes were timed, and stand for all
  std::vector<LoopFigures> loops;  ///< the iterated ones
  PaceFigures pace;
  std::uint64_t checkpoints = 0;      ///< taken
  double resumed_mjd = kFarPast.mjd;  ///< from where the run went on; the far past: it was not resumed
  std::string resumed_from;           ///< the checkpoint; empty: it was not resumed
  std::vector<std::string> files;     ///< written
};

}  // namespace openmi
