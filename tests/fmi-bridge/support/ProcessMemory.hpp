#pragma once

#include <malloc.h>

#include <cstddef>
#include <fstream>

namespace openmi::test {

/// Whether what was freed stays with the process: the sanitizers keep it, or notes on it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kKeepsFreedMemory = true;
#else
inline constexpr bool kKeepsFreedMemory = false;
#endif

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
