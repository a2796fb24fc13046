#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// A part of memory that two processes share: an unnamed file, sealed against shrinking, so that neither side can
/// remove what the other reads. It grows, and is mapped in parts that never move.
class SharedMemory {
 public:
  /// Makes new, empty memory.
  /// \throws FileError  the system has no memory
  static SharedMemory Create();
  /// Takes over memory that another process made.
  /// \param descriptor  of its file; this object closes it
  explicit SharedMemory(int descriptor) : descriptor_(descriptor) {}
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&&) = delete;
  ~SharedMemory();

  int Descriptor() const { return descriptor_; }
  /// The present size, bytes, whichever side added them.
  std::size_t Size() const;
  /// Adds zeros up to `size` bytes.
  /// \throws FileError  no memory is left
  void Grow(std::size_t size);
  /// Maps [offset, offset + size), in bytes, both multiples of the page size. The part stays mapped when this object is
  /// destroyed.
  /// \throws FileError   it cannot be mapped
  /// \throws RangeError  the memory does not contain it
  std::byte* Map(std::size_t offset, std::size_t size) const;
  static void Unmap(std::byte* begin, std::size_t size);

 private:
  int descriptor_;
};

}  // namespace openmi
