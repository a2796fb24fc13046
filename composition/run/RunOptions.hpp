#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "composition/model/CompositionFile.hpp"

namespace openmi {

/// How far a run is.
struct RunProgress {
  double from_mjd = 0.0;
  double to_mjd = 0.0;
  double now_mjd = 0.0;
  double wall_seconds = 0.0;
  /// 0 to 1.
  double Fraction() const;
  /// Simulated seconds per second.
  double RealTimeFactor() const;
  double SecondsLeft() const;
};

/// What whoever starts a run wants of it, beside what the composition file says.
struct RunOptions {
  std::filesystem::path folder = "results";
  bool overwrite = false;
  bool write_results = true;  ///< CSV and NetCDF
  bool write_report = true;
  std::optional<RunMode> mode;                       ///< instead of the file's
  std::optional<std::size_t> threads;                ///< instead of the file's; at least 1
  std::string command;                               ///< for the history of the results
  std::function<void(const RunProgress&)> progress;  ///< called at most every `progress_seconds`, and at the end
  /// Whether no further pass is to begin before `progress` is told again. From any thread; empty: never
  std::function<bool()> is_interrupted;
  double progress_seconds = 0.2;
  /// Measures how long each step of each component takes, for RecordedTiming::steps.
  bool step_times = false;
  /// Goes on from the newest good checkpoint in the folder; from the begin where there is none and nothing else either.
  /// ExpectResume is to be called before the composition is loaded.
  bool resume = false;
  /// Takes a checkpoint up that belongs to another composition, other arguments or other libraries.
  bool resume_changed = false;
  std::filesystem::path save_states;  ///< folder for the components' states at the end; empty: they are not saved
};

}  // namespace openmi
