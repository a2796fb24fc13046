#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "composition/threads/StepTimes.hpp"

namespace openmi {

/// Sums up the time that each component takes, without the providers that it calls from within. Reading the clock costs
/// a few nanoseconds where the processor has a cycle counter. Each thread of a run has its own lane.
class TimeKeeper {
 public:
  explicit TimeKeeper(std::size_t components, std::size_t lanes = 1);

  /// Sets the lane in which this thread counts from now on; 0 at first.
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
  /// Counts a step of `component` that ran while others were waited for: no other component is called from within it.
  void Add(std::size_t component, std::uint64_t ticks) {
    Lane& lane = lanes_[lane_];
    lane.spent[component] += ticks * weight_;
    if (!lane.steps.empty()) lane.steps[component].Add(ticks);
  }
  /// Keeps how long each step takes, in addition to the sum.
  void KeepStepTimes();
  /// Sets how many passes each timed pass stands for from now on.
  void SetWeight(std::uint64_t weight) {
    weight_ = weight;
    is_estimated_ = is_estimated_ || weight > 1;
  }
  /// Whether a timed pass stood for others, so that the sums are estimates.
  bool IsEstimated() const { return is_estimated_; }
  /// The present reading of the clock, in ticks.
  static std::uint64_t Ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }
  /// Whether `component` is the one that runs now, on this thread's lane.
  bool IsInside(std::size_t component) const {
    const Lane& lane = lanes_[lane_];
    return !lane.stack.empty() && lane.stack.back().component == component;
  }

  double Seconds(std::size_t component) const;
  bool KeepsStepTimes() const {
    return !lanes_.front().steps.empty();
  }
  /// The steps of a component on all threads, in ticks.
  /// \pre KeepsStepTimes()
  StepTimes StepsOf(std::size_t component) const;
  /// The length of a tick, measured over the life of this object.
  double SecondsPerTick() const;

 private:
  struct Inside {
    std::size_t component;
    std::uint64_t own;  // without the components that it called and that have returned
  };
  struct alignas(64) Lane {  // on its own cache line
    std::vector<std::uint64_t> spent;
    std::vector<Inside> stack;
    std::vector<StepTimes> steps;  // empty: they are not kept
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
