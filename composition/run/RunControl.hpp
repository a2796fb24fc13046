#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

#include "composition/run/SafePoints.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Where a run is in its life.
enum class RunState {
  Created,  ///< not started
  Running,
  Paused,  ///< started, and makes no passes until it is resumed
  Over,    ///< nothing is left to do, or something failed: End has to be called
  Ended    ///< components finished, results and report written
};

/// How far a run is, and what others want of it. Every function may be called from any thread.
class RunControl {
 public:
  /// \param between_passes  is woken when something is wanted; borrowed
  explicit RunControl(SafePoints& between_passes) : between_passes_(between_passes) {}

  RunState State() const {
    const RunState phase = phase_;
    return phase == RunState::Running && IsPaused() ? RunState::Paused : phase;
  }
  /// The state, where a paused run is one that is running.
  RunState Phase() const { return phase_; }
  void SetPhase(RunState phase) { phase_ = phase; }
  Stamp Now() const { return Stamp{now_mjd_.load(std::memory_order_relaxed)}; }
  void SetNow(Stamp now) { now_mjd_.store(now.mjd, std::memory_order_relaxed); }
  std::uint64_t Passes() const { return passes_.load(std::memory_order_relaxed); }
  void SetPasses(std::uint64_t passes) { passes_.store(passes, std::memory_order_relaxed); }

  void Pause() { passes_left_ = 0; }
  bool IsPaused() const { return passes_left_ == 0; }
  void Resume() {
    passes_left_ = kForGood;
    between_passes_.Wake();
  }
  /// Whether passes are made without end.
  bool IsFree() const { return passes_left_ == kForGood; }
  /// See CompositionRun::Step.
  std::uint64_t Step(std::uint64_t passes) {
    passes = std::min(passes, kForGood / 4);  // so that no sum equals kForGood
    std::uint64_t left = passes_left_;
    std::uint64_t wanted = 0;
    do {
      wanted = left == kForGood ? passes : std::min(left + passes, kForGood / 4);
    } while (!passes_left_.compare_exchange_weak(left, wanted));
    between_passes_.Wake();
    return Passes() + wanted;
  }
  /// Counts a pass as one of those that Step wants.
  void CountPass() {
    std::uint64_t left = passes_left_;
    while (left != kForGood && left > 0 && !passes_left_.compare_exchange_weak(left, left - 1)) {
    }
  }
  void RequestEnd(std::string reason) {
    {
      const std::lock_guard lock(mutex_);
      end_reason_ = std::move(reason);
    }
    is_end_wanted_ = true;
    between_passes_.Wake();
  }
  bool IsEndWanted() const { return is_end_wanted_; }
  std::string EndReason() const {
    const std::lock_guard lock(mutex_);
    return end_reason_;
  }

 private:
  static constexpr std::uint64_t kForGood = std::numeric_limits<std::uint64_t>::max();
  SafePoints& between_passes_;
  std::atomic<RunState> phase_ = RunState::Created;
  std::atomic<std::uint64_t> passes_left_ = kForGood;
  std::atomic<std::uint64_t> passes_ = 0;
  std::atomic<double> now_mjd_;
  std::atomic<bool> is_end_wanted_ = false;
  mutable std::mutex mutex_;  // guards the member below
  std::string end_reason_;
};

}  // namespace openmi
