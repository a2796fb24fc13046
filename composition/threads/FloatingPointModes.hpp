#pragma once

#include <cfenv>
#include <cstdint>

namespace openmi {

/// How a thread computes with floating-point numbers: the direction of rounding, whether denormal numbers are treated
/// as zero, and which faults trap. It does not include whether a fault has happened.
///
/// On x86 these are the modes of the vector unit (SSE); functions of the C library keep the old unit (x87) equal to it.
class FloatingPointModes {
 public:
  /// The modes of the calling thread. Costs some nanoseconds and does not allocate.
  static FloatingPointModes Current() noexcept {
    FloatingPointModes modes;
#if defined(__x86_64__)
    std::uint32_t sse = 0;
    asm volatile("stmxcsr %0" : "=m"(sse));
    modes.bits_ = sse & ~kSseFaults;
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(modes.bits_));
#else
    modes.bits_ = static_cast<std::uint64_t>(std::fegetround());
#endif
    return modes;
  }
  /// Sets the modes of the calling thread.
  void Set() const noexcept {
#if defined(__x86_64__)
    std::uint32_t sse = 0;
    asm volatile("stmxcsr %0" : "=m"(sse));
    sse = (sse & kSseFaults) | static_cast<std::uint32_t>(bits_);
    asm volatile("ldmxcsr %0" : : "m"(sse));
    // Direction and faults have the same bits in both units, at other positions; the precision of x87 stays.
    std::uint16_t x87 = 0;
    asm volatile("fnstcw %0" : "=m"(x87));
    x87 = static_cast<std::uint16_t>((x87 & ~0x0C3F) | (bits_ >> 7 & 0x3F) | (bits_ >> 3 & 0x0C00));
    asm volatile("fnclex\n\tfldcw %0" : : "m"(x87));  // an earlier fault must not trap now
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(bits_));
#else
    std::fesetround(static_cast<int>(bits_));
#endif
  }
  friend bool operator==(const FloatingPointModes&, const FloatingPointModes&) = default;

 private:
  static constexpr std::uint32_t kSseFaults = 0x3F;  // which faults happened
  std::uint64_t bits_ = 0;
};

}  // namespace openmi
