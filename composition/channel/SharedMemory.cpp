#include "composition/channel/SharedMemory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

[[noreturn]] void Refused(const char* what, int error) {
  throw FileError({}, std::string("expected ") + what + ", found: " + std::strerror(error),
                  "free memory, or run fewer components in processes of their own");
}

}  // namespace

SharedMemory SharedMemory::Create() {
  const int descriptor = memfd_create("openmi-isolation", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) Refused("shared memory", errno);
  SharedMemory memory(descriptor);
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) != 0) Refused("shared memory that cannot shrink", errno);
  return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

SharedMemory::~SharedMemory() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::size_t SharedMemory::Size() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) Refused("the size of shared memory", errno);
  return static_cast<std::size_t>(status.st_size);
}

void SharedMemory::Grow(std::size_t size) {
  if (Size() >= size) return;
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) Refused("more shared memory", errno);
}

std::byte* SharedMemory::Map(std::size_t offset, std::size_t size) const {
  const std::size_t there = Size();
  if (offset > there || size > there - offset || size == 0) {
    throw RangeError({}, "expected at most " + std::to_string(there) + " bytes of shared memory, found " +
                             std::to_string(size) + " asked for at " + std::to_string(offset));
  }
  void* begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(offset));
  if (begin == MAP_FAILED) Refused("shared memory that can be mapped", errno);
  return static_cast<std::byte*>(begin);
}

void SharedMemory::Unmap(std::byte* begin, std::size_t size) {
  munmap(begin, size);
}

}  // namespace openmi
