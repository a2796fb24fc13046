#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

namespace openmi {

/// A bell in shared memory: one side rings, the other waits for the next ring. Zero bytes are a bell that never rang.
///
/// The waiter looks a while before it sleeps, where there are cores enough; a ring wakes it through a futex only when
/// it sleeps, so a step between two busy processes costs no system call.
class Doorbell {
 public:
  void Ring();
  /// Looks `times` times whether the bell has rung more often than `heard`. \returns whether it has
  bool Look(std::uint32_t heard, int times) const;
  /// Waits until the bell has rung more often than `heard`, or `longest` has passed.
  /// \param spins  how often to look before sleeping
  /// \returns whether it rang
  bool Wait(std::uint32_t heard, std::chrono::nanoseconds longest, int spins = 0);
  std::uint32_t Rings() const { return rings_.load(std::memory_order_acquire); }

  /// A bell that one side waits for, and how often it had rung.
  struct Awaited {
    Doorbell* bell;
    std::uint32_t heard;
    bool HasRung() const { return bell->Rings() != heard; }
  };
  /// Waits until one of several bells has rung again, or `longest` has passed.
  static void WaitForAny(std::span<const Awaited> bells, std::chrono::nanoseconds longest);

 private:
  std::atomic<std::uint32_t> rings_;
  std::atomic<std::uint32_t> sleepers_;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Doorbell) == 8);

}  // namespace openmi
