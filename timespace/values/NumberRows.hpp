#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

/// Reads the rows of value sets as numbers: where they are if the set offers INumericRows, else value by value.
///
/// What is no number, or missing in a set without rows, is not-a-number. Not thread-safe: each consumer has its own.
class NumberRows {
 public:
  /// The rows of `values` themselves; null if the set does not offer them.
  const INumericRows* Find(const IBaseValueSet& values) { return find_(values); }
  /// The number of rows; 0 for values that are not by time and element.
  std::size_t Count(const IBaseValueSet& values) {
    const INumericRows* rows = find_(values);
    return rows != nullptr ? rows->RowCount() : values.NumberOfIndices() == 2 ? values.GetIndexCount({}) : 0;
  }
  /// One row. Valid until the values change, or the next call.
  /// \pre  `row` is less than `Count(values)`
  std::span<const double> Row(const IBaseValueSet& values, std::size_t row) {
    const INumericRows* rows = find_(values);
    return rows != nullptr ? rows->Row(row) : Copied(values, row);
  }
  /// The last row; empty if there is none.
  std::span<const double> Last(const IBaseValueSet& values) {
    const std::size_t count = Count(values);
    return count > 0 ? Row(values, count - 1) : std::span<const double>();
  }
  /// Discards what is known of types: a library may be unloaded next.
  void Clear() { find_.Clear(); }

 private:
  std::span<const double> Copied(const IBaseValueSet& values, std::size_t row);
  CastByType<const INumericRows, const IBaseValueSet> find_;
  std::vector<double> copy_;
};

}  // namespace openmi
