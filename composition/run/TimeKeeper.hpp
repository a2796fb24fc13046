#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace openmi {

/// Sums up the time each component takes itself, without the providers that it calls from within. Reading the clock
/// costs a few nanoseconds where the processor has a cycle counter.
class TimeKeeper {
 public:
  explicit TimeKeeper(std::size_t components);

  void Enter(std::size_t component) {
    const std::uint64_t now = Ticks();
    if (!stack_.empty()) spent_[stack_.back()] += (now - last_) * weight_;
    stack_.push_back(component);
    last_ = now;
  }
  void Leave() {
    const std::uint64_t now = Ticks();
    spent_[stack_.back()] += (now - last_) * weight_;
    stack_.pop_back();
    last_ = now;
  }
  /// How many passes each timed one stands for from now on.
  void SetWeight(std::uint64_t weight) { weight_ = weight; }
  /// The present reading of the clock, in ticks.
  static std::uint64_t Ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }
  /// Whether `component` is the one that runs now.
  bool IsInside(std::size_t component) const {
    return !stack_.empty() && stack_.back() == component;
  }

  double Seconds(std::size_t component) const;

 private:
  std::vector<std::uint64_t> spent_;
  std::vector<std::size_t> stack_;
  std::uint64_t last_ = 0;
  std::uint64_t weight_ = 1;
  std::uint64_t begin_ticks_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace openmi
