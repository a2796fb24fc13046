#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace openmi {

/// Lets several lines of calls work at once, or one alone. Enter and leave may happen on different threads.
class SharedOrAlone {
 public:
  void EnterShared();
  void LeaveShared();
  /// From shared to alone, in the middle of a task: returns when no other is at work. Those that wait to be alone go
  /// before those that wait to enter.
  /// \param goes_first  whether this one waits until that task, which stands still in its middle, is over; empty:
  /// never.
  ///                    No two may wait for each other
  void BecomeAlone(std::size_t task, const std::function<bool(std::size_t other)>& goes_first = {});
  /// From alone to shared.
  void ShareAgain(std::size_t task);
  /// Whether a line waits to be alone: between two pieces of work, others let it.
  bool IsAskedFor() const { return waiting_.load(std::memory_order_relaxed) != 0; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t sharing_ = 0;
  std::vector<std::size_t> standing_;    // the tasks that stand still in their middle
  std::atomic<std::size_t> waiting_{0};  // to be alone; written under the mutex
  bool is_alone_ = false;
};

}  // namespace openmi
