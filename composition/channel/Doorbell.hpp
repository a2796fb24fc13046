#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

namespace openmi {

/// A doorbell in shared memory: one side rings it, the other waits for the next ring. Zero bytes are a doorbell that
/// never rang.
///
/// The waiting side polls a while before it sleeps, if there are enough cores. A ring wakes it through a futex only if
/// it sleeps, so that a step between two busy processes makes no system call.
class Doorbell {
 public:
  void Ring();
  /// Polls `times` times whether the doorbell has rung more often than `heard`.
  /// \returns whether it has
  bool Look(std::uint32_t heard, int times) const;
  /// Waits until the doorbell has rung more often than `heard`, or `longest` has passed.
  /// \param spins  number of polls before sleeping
  /// \returns whether it rang
  bool Wait(std::uint32_t heard, std::chrono::nanoseconds longest, int spins = 0);
  /// How many times the doorbell has rung.
  std::uint32_t Rings() const { return rings_.load(std::memory_order_acquire); }

  /// A doorbell that one side waits for, and how many times it had rung before.
  struct Awaited {
    Doorbell* bell;
    std::uint32_t heard;
    bool HasRung() const { return bell->Rings() != heard; }
  };
  /// Waits until one of several doorbells has rung again, or `longest` has passed.
  static void WaitForAny(std::span<const Awaited> bells, std::chrono::nanoseconds longest);

 private:
  std::atomic<std::uint32_t> rings_;
  std::atomic<std::uint32_t> sleepers_;
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Doorbell) == 8);

}  // namespace openmi
