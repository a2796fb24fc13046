#pragma once

#include <algorithm>
#include <chrono>

namespace openmi {

/// How often a process that waits for a message polls before it sleeps: as often as allowed, or not at all for a while
/// if polling costs more than it gains.
///
/// A message that arrives during polling saves a sleep and a wake-up. Polling without success costs its time: the
/// message takes longer, or both processes need the same core. Polling also costs time if the core goes to another
/// process meanwhile, since the system treats a process that polls as one that computes; the wait then lasts much
/// longer than the polling itself can. Gains are added to the budget, losses subtracted. When the budget is used up,
/// the process sleeps at once. It tries polling again later, after longer and longer pauses as long as polling does not
/// pay. See decision 73.
class SpinBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param most  largest number of polls before sleeping; 0: never poll
  void Allow(int most) {
    most_ = most;
    left_ = kMost;
  }
  /// The number of polls at the next wait.
  int Next() {
    if (most_ == 0) return 0;
    if (asleep_ > 0) {
      if (--asleep_ > 0) return 0;
      left_ = kMost;
    }
    return most_;
  }
  /// Notes the result of a wait.
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
  // Long enough for the system to notice that two processes want one core while another is free.
  static constexpr std::chrono::milliseconds kMost{12};
  static constexpr std::chrono::microseconds kGain{8};      // of a wait without sleep
  static constexpr std::chrono::microseconds kLonger{500};  // than all polls of one wait take
  static constexpr int kShortestPause = 64;
  static constexpr int kLongestPause = 1 << 16;

  int most_ = 0;
  Clock::duration left_{};      // what polling without success may still cost
  int asleep_ = 0;              // waits without polling that are left
  int pause_ = kShortestPause;  // number of waits without polling, if polling does not pay
  int since_pause_ = 0;         // waits with polling since the pause changed
};

}  // namespace openmi
