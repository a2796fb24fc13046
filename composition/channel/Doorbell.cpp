#include "composition/channel/Doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>

namespace openmi {
namespace {

long Futex(std::atomic<std::uint32_t>* word, int operation, std::uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), operation, value, timeout, nullptr, 0);
}

timespec SpecOf(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

void Relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void Doorbell::Ring() {
  rings_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) != 0) Futex(&rings_, FUTEX_WAKE, INT_MAX, nullptr);
}

bool Doorbell::Look(std::uint32_t heard, int times) const {
  for (int i = 0; i < times; ++i) {
    if (Rings() != heard) return true;
    Relax();
  }
  return Rings() != heard;
}

bool Doorbell::Wait(std::uint32_t heard, std::chrono::nanoseconds longest, int spins) {
  if (Look(heard, spins)) return true;
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (rings_.load(std::memory_order_seq_cst) == heard) {
    const timespec timeout = SpecOf(longest);
    Futex(&rings_, FUTEX_WAIT, heard, &timeout);  // woken, rung meanwhile, interrupted or late: checked below
  }
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  return Rings() != heard;
}

void Doorbell::WaitForAny(std::span<const Awaited> bells, std::chrono::nanoseconds longest) {
  const auto has_rung = [&bells] { return std::ranges::any_of(bells, &Awaited::HasRung); };
  for (const Awaited& one : bells) one.bell->sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (!has_rung()) {
    // As in linux/futex.h of Linux 5.16, which is missing in older headers.
    struct Waiter {
      std::uint64_t value;
      std::uint64_t address;
      std::uint32_t flags;
      std::uint32_t reserved;
    };
    constexpr long kFutexWaitv = 449;
    constexpr std::uint32_t kFutex32 = 2;
    std::array<Waiter, 128> waiters;  // as many as the system accepts; the others are checked after the wait
    const std::size_t count = std::min(bells.size(), waiters.size());
    for (std::size_t i = 0; i < count; ++i) {
      waiters[i] = {bells[i].heard, reinterpret_cast<std::uintptr_t>(&bells[i].bell->rings_), kFutex32, 0};
    }
    const auto until = std::chrono::steady_clock::now().time_since_epoch() + longest;
    const timespec deadline = SpecOf(std::chrono::duration_cast<std::chrono::nanoseconds>(until));
    const bool is_known = syscall(kFutexWaitv, waiters.data(), count, 0, &deadline, CLOCK_MONOTONIC) >= 0 ||
                          (errno != ENOSYS && errno != EPERM);
    if (!is_known) {  // on an older system: waits for one of them, for a moment
      constexpr std::chrono::nanoseconds kMoment = std::chrono::microseconds(500);
      const timespec timeout = SpecOf(std::min(longest, kMoment));
      Futex(&bells.front().bell->rings_, FUTEX_WAIT, bells.front().heard, &timeout);
    }
  }
  for (const Awaited& one : bells) one.bell->sleepers_.fetch_sub(1, std::memory_order_seq_cst);
}

}  // namespace openmi
