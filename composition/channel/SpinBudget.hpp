#pragma once

#include <algorithm>
#include <chrono>

namespace openmi {

/// How often a process that waits for a message polls before it sleeps: as often as allowed, or not at all for a while
/// where polling costs more than it gains.
///
/// A message that arrives during polling saves a sleep and a wake-up. Polling without success costs its time: the
/// message takes longer, or both processes need the same core. Polling also costs where the core goes to another
/// process meanwhile, since the system treats a process that polls as one that computes; it then lasts much longer than
/// polling can. Gains pay for losses. When nothing is left, the process sleeps at once, and tries polling again later
/// and later as long as it does not pay. See decision 73.
class SpinBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param most  polls before sleeping; 0: none ever
  void Allow(int most) {
    most_ = most;
    left_ = kMost;
  }
  /// How often to poll at the next wait.
  int Next() {
    if (most_ == 0) return 0;
    if (asleep_ > 0) {
      if (--asleep_ > 0) return 0;
      left_ = kMost;
    }
    return most_;
  }
  /// \param rang  whether the message arrived during polling
  /// \param took  how long polling lasted
  void Note(bool rang, Clock::duration took) {
    left_ = rang && took < kLonger ? std::min<Clock::duration>(left_ + kGain, kMost) : left_ - took;
    if (left_ < Clock::duration::zero()) {
      asleep_ = pause_;
      pause_ = std::min(2 * pause_, kLongestPause);
      since_pause_ = 0;
    } else if (++since_pause_ >= pause_) {
      pause_ = std::max(pause_ / 2, kShortestPause);
      since_pause_ = 0;
    }
  }

 private:
  // Long enough for the system to see that two want one core where another is free.
  static constexpr std::chrono::milliseconds kMost{12};
  static constexpr std::chrono::microseconds kGain{8};      // of a wait without sleep
  static constexpr std::chrono::microseconds kLonger{500};  // than all looks of one wait take
  static constexpr int kShortestPause = 64;
  static constexpr int kLongestPause = 1 << 16;

  int most_ = 0;
  Clock::duration left_{};      // of what looking in vain may cost
  int asleep_ = 0;              // waits without looks that are left
  int pause_ = kShortestPause;  // waits without looks, where looking does not pay
  int since_pause_ = 0;         // waits with looks since the pause changed
};

}  // namespace openmi
