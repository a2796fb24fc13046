#pragma once

#include <cstddef>
#include <span>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// Values that are addressed by any number of indices.
///
/// Each index counts from zero. Rows may have different lengths.
///
/// Source: OGC 11-014r3, requirement 6.1 (/req/value-set/IBaseValueSet), table 17.
class IBaseValueSet {
 public:
  virtual ~IBaseValueSet() = default;

  /// The length of the dimension that the leading `indices` address.
  ///
  /// \param indices  fewer than `NumberOfIndices()`; an empty list addresses the first dimension
  /// \throws RangeError  too many indices, or an index outside its dimension
  virtual std::size_t GetIndexCount(std::span<const std::size_t> indices) const = 0;

  /// The value at `indices`.
  /// \throws RangeError  the number of indices is not `NumberOfIndices()`, or an index is outside its dimension
  virtual Value GetValue(std::span<const std::size_t> indices) const = 0;

  /// The number of indices (dimensions) of the set.
  virtual std::size_t NumberOfIndices() const = 0;

  /// Sets the value at `indices`.
  /// \throws RangeError  as `GetValue`
  /// \throws TypeError   `value` is not of type `ValueType()`, or the set is a read-only view
  virtual void SetValue(std::span<const std::size_t> indices, const Value& value) = 0;

  /// The type of each value.
  virtual openmi::ValueType ValueType() const = 0;
};

}  // namespace openmi
