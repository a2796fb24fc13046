#pragma once

#include <algorithm>
#include <chrono>

namespace openmi {

/// How often one who waits looks before it sleeps: as often as allowed, or not at all for a while where looking costs
/// more than it gains.
///
/// A letter that comes while one looks saves falling asleep and being woken. Looks in vain cost their time: the letter
/// takes longer, or both sides want the same core. So does a core that went to another process while one looked, since
/// the system takes one who looks for one who computes, who has to queue with others; such looks last much longer than
/// looks can take. What was gained pays for what is lost; without anything left one sleeps at once, and tries again
/// later and later, as long as that goes on.
class SpinBudget {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param most  looks before sleeping; 0: none ever
  void Allow(int most) {
    most_ = most;
    left_ = kMost;
  }
  /// How often to look at the next wait.
  int Next() {
    if (most_ == 0) return 0;
    if (asleep_ > 0) {
      if (--asleep_ > 0) return 0;
      left_ = kMost;
    }
    return most_;
  }
  /// \param rang  whether the letter came while this side looked
  /// \param took  how long it looked
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
