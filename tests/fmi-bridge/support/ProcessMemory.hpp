#pragma once

#include <malloc.h>

#include <cstddef>
#include <fstream>

#include "tests/support/Sanitized.hpp"

namespace openmi::test {

/// What was freed stays with the process under a sanitizer, or notes on it.
inline constexpr bool kKeepsFreedMemory = kIsSanitized;

/// What this process holds in memory, kB.
inline long ResidentKilobytes() {
  std::ifstream file("/proc/self/statm");
  long size = 0;
  long resident = 0;
  file >> size >> resident;
  return resident * 4;
}

/// What malloc gave this process and did not get back, bytes.
inline std::size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace openmi::test
