#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/link/Groups.hpp"
#include "composition/loops/LoopFigures.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/record/ComponentMeter.hpp"
#include "composition/record/LinkMeter.hpp"
#include "composition/record/SeriesFigures.hpp"
#include "composition/results/ResultSeries.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// An observed item as the run stored it for the report.
struct RecordedSeries {
  ResultSeries series;
  const ObserveSpec* spec = nullptr;
  std::vector<double> begins;  ///< starts of rows, Modified Julian Day, UTC; of an instant, its time
  std::vector<double> times;   ///< ends of rows, Modified Julian Day, UTC
  std::vector<double> values;  ///< row by row, NaN where missing; shape [times * width]
  bool is_whole = true;        ///< false: there were too many values, and only the first rows are stored
  bool has_number = false;     ///< whether any value of any row, stored or not, is a number
  /// Of all rows, stored or not; none: neither a report nor a map is to be written.
  std::optional<SeriesFigures> figures = {};

  /// Forgets all rows.
  void ClearRows() {
    begins.clear();
    times.clear();
    values.clear();
    is_whole = true;
    has_number = false;
    if (figures) figures->Clear();
  }
};

/// One simulated series compared with one observed series.
struct RecordedComparison {
  const CompareSpec* spec = nullptr;
  std::string element;  ///< id; empty where there are no elements
  std::string unit;
  bool is_span = false;           ///< values over spans, else at instants
  std::vector<double> times;      ///< of simulated rows: their ends, Modified Julian Day, UTC
  std::vector<double> simulated;  ///< in `unit`, NaN where missing
  std::vector<double> observed;   ///< in `unit`, NaN where missing or without an observed row
  std::size_t unmatched = 0;      ///< observed values at times that were not simulated
};

/// How long the steps of a component took, without the steps of providers that it called from within; seconds.
struct RecordedSteps {
  double median = 0.0;
  double percentile_99 = 0.0;
  double longest = 0.0;
};

/// How long a component took in a run.
struct RecordedTiming {
  std::string component;
  double seconds = 0.0;
  std::uint64_t updates = 0;
  std::optional<RecordedSteps> steps;  ///< with RunOptions::step_times
};

/// How late a paced run was.
struct PaceFigures {
  double factor = 0.0;  ///< simulated seconds per second; 0: the run was not paced
  std::uint64_t steps = 0;
  std::uint64_t late = 0;
  double worst_seconds = 0.0;  ///< seconds of wall-clock time
  double lost_seconds = 0.0;   ///< how much later the run ended than its pace requires, without pauses
};

/// Everything that a run keeps in memory for its report and its caller.
struct RunRecord {
  bool is_complete = false;
  Stamp reached;  ///< how far the run came, UTC
  double wall_seconds = 0.0;
  std::uint64_t passes = 0;
  RunMode mode = RunMode::Pull;
  Problems problems;  ///< of the check and of the run
  std::vector<RecordedSeries> series;
  std::vector<RecordedComparison> comparisons;
  std::vector<std::pair<std::string, LinkBalanceFigures>> links;            ///< "a.x -> b.y"
  std::vector<std::pair<std::string, std::string>> not_balanced;            ///< links that cannot be balanced, and why
  std::vector<std::pair<std::string, ComponentBalanceFigures>> components;  ///< by component id
  std::vector<RecordedTiming> timings;
  bool is_timing_estimated = false;  ///< only some passes were timed, and the times are extrapolated to all
  std::vector<LoopFigures> loops;    ///< the iterated ones
  PaceFigures pace;
  RecordedWorkers workers;         ///< the processes of components, if any runs in one
  std::uint64_t checkpoints = 0;   ///< number of checkpoints taken
  std::optional<Stamp> resumed;    ///< time from which the run was resumed, if it was
  std::string resumed_from;        ///< the checkpoint, perhaps that of the start; empty: there was none
  std::vector<std::string> files;  ///< paths of the files that were written
};

}  // namespace openmi
