#include "tests/timespace/MallocCount.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "openmi/sdk/Sanitizers.hpp"

namespace {
std::atomic<std::uint64_t> asked{0};
}

namespace openmi::test {
std::uint64_t MallocCount() {
  return asked.load(std::memory_order_relaxed);
}
}  // namespace openmi::test

#if OPENMI_ADDRESS_SANITIZER || OPENMI_THREAD_SANITIZER

bool openmi::test::MallocIsCounted() {
  return false;
}

#else

bool openmi::test::MallocIsCounted() {
  return true;
}

// The program's own malloc stands before the C library's for all libraries it loads; memory comes from the same place.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);

void* malloc(std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  asked.fetch_add(1, std::memory_order_relaxed);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  __libc_free(memory);
}
}

#endif
