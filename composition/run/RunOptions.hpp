#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

class Composition;
struct RunRecord;

/// How far a run is. Times are UTC.
struct RunProgress {
  Stamp from;
  Stamp to;
  Stamp now;
  double wall_seconds = 0.0;
  /// The part of the run that is done, 0 to 1.
  double Fraction() const;
  /// Simulated seconds per second.
  double RealTimeFactor() const;
  /// Estimated time that the run still takes, seconds.
  double SecondsLeft() const;
};

/// What the user of a run sets in addition to the composition file.
struct RunOptions {
  std::filesystem::path folder = "results";
  bool overwrite = false;
  bool write_results = true;  ///< CSV and NetCDF
  /// Writes the report of the run to a path before the components are finished: `WriteRunReport`. Empty: no report.
  std::function<void(const Composition&, const RunRecord&, const RunOptions&, const std::filesystem::path&)>
      write_report;
  std::optional<RunMode> mode;                       ///< in place of the file's
  std::optional<std::size_t> threads;                ///< in place of the file's; at least 1
  std::string command;                               ///< for the history of the results
  std::function<void(const RunProgress&)> progress;  ///< called at most every `progress_seconds`, and at the end
  /// Whether no further pass is to start before `progress` is called again. Called from any thread; empty: never.
  std::function<bool()> is_interrupted;
  double progress_seconds = 0.2;
  /// Measures how long each step of each component takes, for RecordedTiming::steps.
  bool step_times = false;
  /// Resumes from the newest valid checkpoint in the folder; starts at the beginning if there is no checkpoint and
  /// nothing else either. ExpectResume has to be called before the composition is loaded.
  bool resume = false;
  /// Accepts a checkpoint of another composition, other arguments or other libraries.
  bool resume_changed = false;
  std::filesystem::path save_states;  ///< folder for the components' states at the end; empty: they are not saved
};

}  // namespace openmi
