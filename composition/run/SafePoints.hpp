#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace openmi {

/// The work that is done between two passes of a run. No call of a component is active then, so that states can be
/// kept, families exchanged and values set.
///
/// Hooks run between all passes, in the order in which they were added. Tasks are posted by other threads and run once,
/// on the thread of the run. What a hook or a task throws ends the run, as the failure of a component does.
class SafePoints {
 public:
  using Work = std::function<void()>;
  using Clock = std::chrono::steady_clock;

  /// Adds a hook.
  /// \returns a number for Remove
  std::size_t Add(Work hook);
  /// Removes a hook. May be called from within a hook. Unknown numbers are ignored.
  void Remove(std::size_t hook);
  /// Posts `task`, which runs between the next two passes, and ends a wait. May be called from any thread.
  void Post(Work task);

  /// Runs all hooks, then the tasks that were posted before.
  void Run() {
    if (!hooks_.empty()) RunHooks();
    if (has_tasks_.load(std::memory_order_acquire)) RunTasks();
  }
  bool HasHooks() const { return !hooks_.empty(); }
  /// Whether a task waits. May be called from any thread.
  bool HasTasks() const { return has_tasks_.load(std::memory_order_acquire); }
  /// Waits until `time`, a task or a call of Wake, whichever comes first.
  void WaitUntil(Clock::time_point time);
  /// Ends a wait. May be called from any thread.
  void Wake();

 private:
  void RunHooks();
  void RunTasks();

  std::deque<std::pair<std::size_t, Work>> hooks_;  // number 0: removed, to be erased
  std::size_t next_hook_ = 1;
  bool is_running_hooks_ = false;
  std::atomic<bool> has_tasks_ = false;
  std::mutex mutex_;  // guards the members below
  std::condition_variable woken_;
  std::vector<Work> tasks_;
  bool is_woken_ = false;
};

}  // namespace openmi
