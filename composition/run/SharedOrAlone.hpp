#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace openmi {

/// Lets several lines of calls work at once, or one alone. Enter and leave may happen on different threads.
class SharedOrAlone {
 public:
  void EnterShared();
  void LeaveShared();
  /// From shared to alone: returns when no other is at work. Those that wait to be alone go before those that wait to
  /// share.
  void BecomeAlone();
  void ShareAgain();
  /// Whether a line waits to be alone: between two pieces of work, others let it.
  bool IsAskedFor() const { return waiting_.load(std::memory_order_relaxed) != 0; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t sharing_ = 0;
  std::atomic<std::size_t> waiting_{0};  // to be alone; written under the mutex
  bool is_alone_ = false;
};

}  // namespace openmi
