#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

#include "composition/run/Composition.hpp"
#include "composition/run/RunFiles.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunWatch.hpp"
#include "composition/state/CheckpointStore.hpp"

namespace openmi {

/// Lets the components of a composition be made as they were when the newest checkpoint of its run was taken: with the
/// arguments that were changed during the run, and, where one kept no state, to begin at that time. Before
/// Composition::Load, where the run is to be resumed; does nothing where no checkpoint is good, which is told when the
/// run begins.
/// \param folder  of the results
void ExpectResume(Composition& composition, const std::filesystem::path& folder);

/// The checkpoints of a run: when one is due, what goes in, and which one a run goes on from.
class RunCheckpoints {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param composition  loaded; borrowed, as `files`
  RunCheckpoints(Composition& composition, RunFiles& files, RunMode mode);

  /// A run that begins: those of earlier runs go. Where checkpoints are taken there is one from now on, so that a run
  /// that is killed at any moment can be resumed. Before the results files are made.
  /// \throws FileError
  void Begin();
  /// The newest good one, for a run that goes on.
  /// \param changed  one of another composition, other arguments or other libraries is good too
  /// \param take     throws FormatError for one that does not fit the results files: then the one before is tried
  /// \returns nothing if there are none
  /// \throws ArgumentError  it is of another composition, other arguments or other libraries: says which
  /// \throws FormatError    there are some, and none is good
  std::optional<Checkpoint> Find(bool changed, const std::function<void(const Checkpoint&)>& take, Problems& problems);

  bool IsDue(Stamp now, Clock::time_point wall) const {
    return (every_days_ > 0.0 && !Before(now, next_)) || (every_ > Clock::duration::zero() && wall >= next_wall_);
  }
  /// When the next one is due, counted from here.
  void Count(Stamp now, Clock::time_point wall);
  /// Keeps the run as it is now. \throws Error  what a component throws that is to tell its state, or FileError
  void Take(const RunRecord& record, Stamp now, const RunWatch& watch, const RunLoop& loop);
  /// Nobody is to go on from here.
  void Remove() { store_.Remove(); }

 private:
  Composition& composition_;
  RunFiles& files_;
  RunMode mode_;
  CheckpointStore store_;
  Stamp begin_;
  double every_days_ = 0.0;                          // 0: never by simulated time
  Clock::duration every_ = Clock::duration::zero();  // 0: never by the clock
  Stamp next_;
  Clock::time_point next_wall_;
};

}  // namespace openmi
