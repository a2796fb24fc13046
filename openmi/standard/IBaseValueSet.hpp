#pragma once

#include <cstddef>
#include <span>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// Values under any number of indices, each counted from zero. Rows may have different lengths.
///
/// Source: OGC 11-014r3, requirement 6.1 (/req/value-set/IBaseValueSet), table 17.
class IBaseValueSet {
 public:
  virtual ~IBaseValueSet() = default;

  /// The length of the dimension that the leading `indices` address; an empty list gives the length of the first.
  /// \param indices  fewer than NumberOfIndices()
  /// \throws RangeError  too many indices, or one outside its dimension
  virtual std::size_t GetIndexCount(std::span<const std::size_t> indices) const = 0;

  /// The value under `indices`.
  /// \throws RangeError  the number of indices is not NumberOfIndices(), or one lies outside its dimension
  virtual Value GetValue(std::span<const std::size_t> indices) const = 0;

  /// The number of indices (dimensions) of the set.
  virtual std::size_t NumberOfIndices() const = 0;

  /// Sets the value under `indices`; throws as GetValue does.
  /// \throws TypeError  `value` is not of ValueType(), or the set is a view that cannot be written
  virtual void SetValue(std::span<const std::size_t> indices, const Value& value) = 0;

  /// The type of each value.
  virtual openmi::ValueType ValueType() const = 0;
};

}  // namespace openmi
