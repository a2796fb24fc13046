#pragma once

#include <deque>

#include "composition/run/RunOptions.hpp"

namespace openmi {

/// How fast a run is, and how long it will still take, from what this process has computed itself.
///
/// What lies before the first progress that is added does not count: the part of a resumed run that its checkpoint
/// holds, or a start that slaves agree on. The remaining time is estimated from the latest quarter of the computed
/// time, since a run may become slower as it goes on.
class RecentPace {
 public:
  void Add(const RunProgress& progress);

  /// Simulated seconds per second since the first progress; 0 if that is not known.
  double RealTimeFactor() const;
  /// The remaining time, seconds; infinite if nothing is known.
  double SecondsLeft() const;

 private:
  std::deque<RunProgress> samples_;  // the first one, and those within the time that is looked at
  RunProgress first_;
};

}  // namespace openmi
