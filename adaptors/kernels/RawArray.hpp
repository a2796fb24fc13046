#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace openmi {

/// An array whose memory is not initialised. The thread that writes an element first is thus the first to touch it.
///
/// It can be moved, not copied.
///
/// Source: none; an array of default-initialised elements, as `std::make_unique_for_overwrite<T[]>` makes it.
template <typename T>
class RawArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  RawArray() = default;
  explicit RawArray(std::size_t count) : items_(std::allocator<T>().allocate(count), Free{count}) {}

  T& operator[](std::size_t i) { return items_.get()[i]; }
  const T& operator[](std::size_t i) const { return items_.get()[i]; }
  std::span<T> All() const { return {items_.get(), items_.get_deleter().count}; }

 private:
  struct Free {
    std::size_t count = 0;
    void operator()(T* items) const { std::allocator<T>().deallocate(items, count); }
  };
  std::unique_ptr<T, Free> items_;
};

}  // namespace openmi
