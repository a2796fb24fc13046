#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace openmi {

/// A bell in shared memory: one side rings, the other waits for the next ring. Zero bytes are a bell that never rang.
///
/// The waiter looks a while before it sleeps, where there are cores enough; a ring wakes it through a futex only when
/// it sleeps, so a step between two busy processes costs no system call.
class Doorbell {
 public:
  void Ring();
  /// Waits until the bell has rung more often than `heard`, or `longest` has passed.
  /// \param spins  how often to look before sleeping
  /// \returns whether it rang
  bool Wait(std::uint32_t heard, std::chrono::nanoseconds longest, int spins);
  std::uint32_t Rings() const { return rings_.load(std::memory_order_acquire); }

 private:
  std::atomic<std::uint32_t> rings_;
  std::atomic<std::uint32_t> sleepers_;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Doorbell) == 8);

}  // namespace openmi
