#pragma once

#include <chrono>

#include "composition/model/CompositionFile.hpp"
#include "composition/record/RunRecord.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Keeps a run at a factor of the monotonic clock: soft real time.
///
/// Simulated time t is due at origin + (t - begin) / factor. A step that starts at t is not made before t is due. It is
/// late if it ends after its own end time was due.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param begin  simulated time, UTC, that is due at `now`
  Pace(const PaceSpec& spec, Stamp begin, Clock::time_point now);

  /// When simulated time `time` is due.
  Clock::time_point Due(Stamp time) const;
  /// Counts a step that ended at simulated time `time`, and moves the origin if the delay is to stay.
  /// \throws ModelError  the step is late, and the pace requires the run to fail then
  void Stepped(Stamp time, Clock::time_point now);
  /// Moves the origin by the length of a pause of the run.
  void Paused(Clock::duration length) { origin_ += length; }

  const PaceFigures& Figures() const { return figures_; }

 private:
  PaceSpec spec_;
  Stamp begin_;
  Clock::time_point origin_;
  double shifted_seconds_ = 0.0;  // by how much the origin moved for delays
  PaceFigures figures_;
};

}  // namespace openmi
