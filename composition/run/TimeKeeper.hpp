#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "composition/run/StepTimes.hpp"

namespace openmi {

/// Sums up the time each component takes itself, without the providers that it calls from within. Reading the clock
/// costs a few nanoseconds where the processor has a cycle counter. Each thread of a run has a lane of its own.
class TimeKeeper {
 public:
  explicit TimeKeeper(std::size_t components, std::size_t lanes = 1);

  /// Which lane this thread counts in from now on; 0 unless it says so.
  static void EnterLane(std::size_t lane) { lane_ = lane; }
  static std::size_t CurrentLane() { return lane_; }

  void Enter(std::size_t component) {
    Lane& lane = lanes_[lane_];
    const std::uint64_t now = Ticks();
    if (!lane.stack.empty()) lane.stack.back().own += now - lane.last;
    lane.stack.push_back({component, 0});
    lane.last = now;
  }
  void Leave() {
    Lane& lane = lanes_[lane_];
    const std::uint64_t now = Ticks();
    const Inside& inside = lane.stack.back();
    const std::uint64_t own = inside.own + (now - lane.last);
    lane.spent[inside.component] += own * weight_;
    if (!lane.steps.empty()) lane.steps[inside.component].Add(own);
    lane.stack.pop_back();
    lane.last = now;
  }
  /// Counts a step of `component` that was waited for beside others: nothing is inside of it.
  void Add(std::size_t component, std::uint64_t ticks) {
    Lane& lane = lanes_[lane_];
    lane.spent[component] += ticks * weight_;
    if (!lane.steps.empty()) lane.steps[component].Add(ticks);
  }
  /// Keeps how long each step takes, beside the sum.
  void KeepStepTimes();
  /// How many passes each timed one stands for from now on.
  void SetWeight(std::uint64_t weight) {
    weight_ = weight;
    is_estimated_ = is_estimated_ || weight > 1;
  }
  /// Whether some timed pass stood for others, so that the sums are estimates.
  bool IsEstimated() const { return is_estimated_; }
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
    const Lane& lane = lanes_[lane_];
    return !lane.stack.empty() && lane.stack.back().component == component;
  }

  double Seconds(std::size_t component) const;
  bool KeepsStepTimes() const {
    return !lanes_.front().steps.empty();
  }
  /// The steps of a component on all threads, in ticks. \pre KeepsStepTimes()
  StepTimes StepsOf(std::size_t component) const;
  /// The length of a tick, measured over the life of this object.
  double SecondsPerTick() const;

 private:
  struct Inside {
    std::size_t component;
    std::uint64_t own;  // without those that it called and that are back
  };
  struct alignas(64) Lane {  // a cache line of its own
    std::vector<std::uint64_t> spent;
    std::vector<Inside> stack;
    std::vector<StepTimes> steps;  // empty: not kept
    std::uint64_t last = 0;
  };
  static inline thread_local std::size_t lane_ = 0;
  std::vector<Lane> lanes_;
  std::uint64_t weight_ = 1;
  bool is_estimated_ = false;
  std::uint64_t begin_ticks_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace openmi
