#pragma once

#include <chrono>
#include <cstdint>

#include "composition/model/CompositionFile.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

/// How late a paced run was.
struct PaceFigures {
  double factor = 0.0;  ///< simulated seconds per second; 0: the run was not paced
  std::uint64_t steps = 0;
  std::uint64_t late = 0;
  double worst_seconds = 0.0;  ///< of the clock
  double lost_seconds = 0.0;   ///< by how much the run ended later than its pace asked for, pauses left out
};

/// Holds a run to a factor of the monotonic clock: soft real time.
///
/// Simulated time t is due at origin + (t - begin) / factor. A step that begins at t is not made before t is due, and
/// it is late if it ends after the time that it ends at was due.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  Pace(const PaceSpec& spec, Stamp begin, Clock::time_point now);

  /// When simulated time `time` is due.
  Clock::time_point Due(Stamp time) const;
  /// A step ended: simulated time is `time`. Counts it, and moves the origin where the delay is to stay.
  /// \throws ModelError  it is late, and the run is to fail then
  void Stepped(Stamp time, Clock::time_point now);
  /// The run stood still: the origin moves by as much.
  void Paused(Clock::duration length) { origin_ += length; }

  const PaceFigures& Figures() const { return figures_; }

 private:
  PaceSpec spec_;
  Stamp begin_;
  Clock::time_point origin_;
  double shifted_seconds_ = 0.0;  // by which the origin moved for delays
  PaceFigures figures_;
};

}  // namespace openmi
