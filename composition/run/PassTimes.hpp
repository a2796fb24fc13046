#pragma once

#include <algorithm>
#include <cstdint>

#include "composition/threads/TimeKeeper.hpp"

namespace openmi {

/// Decides which passes of a run are timed, and sums up the time that each component takes in them.
///
/// Timing a pass shorter than some microseconds would slow it down. After the first thousand passes, one in sixty-four
/// is timed. The timed passes are scattered, so that work that is done every so many passes is sampled in proportion. A
/// timed pass stands for the passes since the one before.
class PassTimes {
 public:
  /// \param components  their number
  /// \param threads     number of threads that update components at the same time
  PassTimes(std::size_t components, std::size_t threads) : times_(components, std::max<std::size_t>(1, threads)) {}

  /// Starts a pass.
  /// \returns whether it is timed; then End has to be called
  bool Begin() {
    constexpr std::uint64_t kWatched = 1024;
    const auto is_sampled = [](std::uint64_t pass) { return (pass * 0x9E3779B97F4A7C15U) >> 58 == 0; };
    is_timed_ = is_long_ || passes_ < kWatched || times_.KeepsStepTimes() || is_sampled(passes_);
    ++passes_;
    if (!is_timed_) return false;
    times_.SetWeight(passes_ - timed_passes_);
    timed_passes_ = passes_;
    begin_ = TimeKeeper::Ticks();
    return true;
  }
  void End() {
    constexpr std::uint64_t kLongTicks = 10'000;
    is_long_ = TimeKeeper::Ticks() - begin_ > kLongTicks;
  }
  /// Whether the present pass is timed.
  bool IsTimed() const { return is_timed_; }
  TimeKeeper& Keeper() { return times_; }
  const TimeKeeper& Keeper() const { return times_; }

 private:
  TimeKeeper times_;
  bool is_timed_ = true;
  bool is_long_ = false;  // the pass last timed
  std::uint64_t passes_ = 0;
  std::uint64_t timed_passes_ = 0;  // the value of `passes_` at the last pass that was timed
  std::uint64_t begin_ = 0;         // of this pass, ticks
};

}  // namespace openmi
