#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// A piece of memory that two processes see: an unnamed file, sealed against shrinking, so that neither side can take
/// away what the other reads. Grows, and is mapped in pieces that never move.
class SharedMemory {
 public:
  /// New, empty memory. \throws FileError  the system has none to give
  static SharedMemory Create();
  /// Memory that another process made. \param descriptor  taken over
  explicit SharedMemory(int descriptor) : descriptor_(descriptor) {}
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  int Descriptor() const { return descriptor_; }
  /// Bytes there are now, on whichever side they were added.
  std::size_t Size() const;
  /// Adds zeros up to `size` bytes. \throws FileError  no memory left
  void Grow(std::size_t size);
  /// Maps [offset, offset + size), both multiples of the page size; stays mapped when this object goes.
  /// \throws FileError   it cannot be mapped
  /// \throws RangeError  that is not there
  std::byte* Map(std::size_t offset, std::size_t size) const;
  static void Unmap(std::byte* begin, std::size_t size);

 private:
  int descriptor_;
};

}  // namespace openmi
