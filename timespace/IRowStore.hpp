#pragma once

#include <cstddef>

namespace openmi {

/// Where rows of numbers live: ordinary memory, unless somebody else (another process) is to read them in place.
class IRowStore {
 public:
  virtual ~IRowStore() = default;
  /// Memory for `count` doubles, on a boundary of 64 bytes. \throws std::bad_alloc, Error  there is none
  virtual double* Take(std::size_t count) = 0;
  /// Gives back what Take gave for `count`.
  virtual void Give(double* row, std::size_t count) noexcept = 0;
};

}  // namespace openmi
