#pragma once

#include <cstdint>

namespace bench {

/// How often this process asked for memory: malloc, calloc, realloc and the aligned ones. operator new ends there too.
std::uint64_t MallocCount();

}  // namespace bench
