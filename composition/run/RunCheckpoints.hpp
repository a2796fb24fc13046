#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "composition/link/Composition.hpp"
#include "composition/record/RunWatch.hpp"
#include "composition/run/RunFiles.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunOptions.hpp"
#include "composition/state/CheckpointStore.hpp"

namespace openmi {

/// Prepares a composition to be resumed: its components will be made as they were when the newest checkpoint of its run
/// was taken.
///
/// They get the arguments that were changed during the run, also where it is complete, so that CompleteSince compares
/// with them. A component that kept no state gets a start time equal to the checkpoint's time. To be called before
/// Composition::Load. Does nothing if there is no valid checkpoint; the run reports that when it starts.
/// \param folder  of the results
void ExpectResume(Composition& composition, const std::filesystem::path& folder);

/// When the results folder holds this run, complete: the simulated time of its end, UTC. A run that takes checkpoints
/// leaves a mark in their place at its end.
/// \param composition  loaded
/// \param options      of the run that would be resumed
/// \returns no value if no run is complete there, or one of another composition, other arguments or other libraries, or
///   if a file that `options` ask for is lacking, or a saved state is not that of the run
std::optional<Stamp> CompleteSince(const Composition& composition, const RunOptions& options);

/// The checkpoints of a run: when one is due, what it contains, and from which one a run is resumed.
class RunCheckpoints {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param composition  loaded; borrowed
  /// \param files        borrowed
  /// \param mode         in force
  RunCheckpoints(Composition& composition, RunFiles& files, RunMode mode);

  /// Starts a new run: removes the checkpoints of earlier runs. If checkpoints are to be taken, writes one, so that a
  /// run that is killed at any moment can be resumed. To be called before the results files are made.
  void Begin();
  /// Finds the newest valid checkpoint, for a run that is resumed.
  /// \param changed   accepts a checkpoint of another composition, other arguments or other libraries
  /// \param take      throws FormatError for a checkpoint that does not fit the results files; then the one before is
  ///   tried
  /// \param problems  receives a warning for each checkpoint that is refused
  /// \returns no value if there are no checkpoints
  /// \throws ArgumentError  it belongs to another composition, other arguments or other libraries; the message says
  ///   which
  /// \throws FormatError    there are checkpoints, and none is valid
  std::optional<Checkpoint> Find(bool changed, const std::function<void(const Checkpoint&)>& take, Problems& problems);

  /// Whether a checkpoint is due.
  /// \param now   simulated time, UTC
  /// \param wall  time of the clock
  bool IsDue(Stamp now, Clock::time_point wall) const {
    return (period_ > Days() && !Before(now, next_)) || (every_ > Clock::duration::zero() && wall >= next_wall_);
  }
  /// Notes that a checkpoint was taken, and computes when the next one is due.
  void Count(Stamp now, Clock::time_point wall);
  /// Takes a checkpoint of the run as it is now.
  /// \throws Error  a component cannot give its state; FileError if it cannot be written
  void Take(const RunRecord& record, Stamp now, const RunWatch& watch, const RunLoop& loop);
  /// Replaces all checkpoints by a mark: the run is complete, and not to be resumed.
  /// \param series  how many series it wrote; no value: it was not to write results
  /// \param states  folder with the components' saved states, whose hashes the mark keeps; empty: none were saved
  /// \throws FileError  the mark cannot be written; the checkpoints stay
  void Complete(Stamp end, std::optional<std::size_t> series, const std::filesystem::path& states);
  /// Whether there is the mark of a complete run.
  bool IsMarkedComplete() const { return store_.ReadComplete().has_value(); }

 private:
  Composition& composition_;
  RunFiles& files_;
  RunMode mode_;
  CheckpointStore store_;
  Stamp begin_;
  Days period_;                                      // 0: never by simulated time
  Clock::duration every_ = Clock::duration::zero();  // 0: never by the clock
  Stamp next_;
  Clock::time_point next_wall_;
};

}  // namespace openmi
