#pragma once

#include <cstddef>

namespace openmi {

/// Allocates the memory of rows of numbers. Used instead of ordinary memory when another process reads the rows in
/// place.
class IRowStore {
 public:
  virtual ~IRowStore() = default;
  /// Memory for `count` doubles, aligned to 64 bytes.
  /// \throws std::bad_alloc  there is no memory
  /// \throws Error           there is no memory
  virtual double* Take(std::size_t count) = 0;
  /// Returns the memory that `Take` gave for `count`.
  virtual void Give(double* row, std::size_t count) noexcept = 0;
};

}  // namespace openmi
