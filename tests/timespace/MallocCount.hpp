#pragma once

#include <cstdint>

namespace openmi::test {

/// How often this program asked for memory so far, by malloc and its relatives, through whatever library.
std::uint64_t MallocCount();

/// False where a sanitizer has malloc for itself: nothing can be counted then.
bool MallocIsCounted();

}  // namespace openmi::test
