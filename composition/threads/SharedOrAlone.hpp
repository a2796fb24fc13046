#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace openmi {

/// Allows several lines of calls to run at the same time, or one alone. A line may enter on one thread and leave on
/// another.
class SharedOrAlone {
 public:
  void EnterShared();
  void LeaveShared();
  /// Changes from shared to alone, in the middle of a task: returns when no other line runs. Lines that wait to be
  /// alone go before lines that wait to enter.
  /// \param goes_first  whether this line waits until task `other`, which stands still in its middle, is over; empty:
  ///   never. No two tasks may wait for each other.
  void BecomeAlone(std::size_t task, const std::function<bool(std::size_t other)>& goes_first = {});
  /// Changes from alone to shared.
  void ShareAgain(std::size_t task);
  /// Whether a line waits to be alone. Others check this between two pieces of work and let it go first.
  bool IsAskedFor() const { return waiting_.load(std::memory_order_relaxed) != 0; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t sharing_ = 0;
  std::vector<std::size_t> standing_;    // the tasks that stand still in the middle
  std::atomic<std::size_t> waiting_{0};  // to be alone; written under the mutex
  bool is_alone_ = false;
};

}  // namespace openmi
