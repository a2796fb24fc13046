#include "composition/isolation/Doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace openmi {
namespace {

long Futex(std::atomic<std::uint32_t>* word, int operation, std::uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(word), operation, value, timeout, nullptr, 0);
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

bool Doorbell::Wait(std::uint32_t heard, std::chrono::nanoseconds longest, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (Rings() != heard) return true;
    Relax();
  }
  sleepers_.fetch_add(1, std::memory_order_seq_cst);
  if (rings_.load(std::memory_order_seq_cst) == heard) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(longest);
    const timespec timeout{static_cast<time_t>(seconds.count()), static_cast<long>((longest - seconds).count())};
    Futex(&rings_, FUTEX_WAIT, heard, &timeout);  // woken, rung meanwhile, interrupted or late: looked at below
  }
  sleepers_.fetch_sub(1, std::memory_order_seq_cst);
  return Rings() != heard;
}

}  // namespace openmi
