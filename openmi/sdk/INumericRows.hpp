#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// Contiguous access to a numeric value set: its values as rows of doubles, without one Value for each.
///
/// A value set offers this optional interface beside IBaseValueSet; its last index runs along the row. For values by
/// time and element a row is the elements of one time. Rows may have different lengths. Callers find the interface with
/// `dynamic_cast`, once, when a link is made. Callers that do not know it use `GetValue`.
class INumericRows {
 public:
  virtual ~INumericRows() = default;

  /// The number of rows.
  virtual std::size_t RowCount() const = 0;

  /// The values of one row, in the unit of the item's value definition. Valid as long as the values of the set are.
  /// \throws RangeError  `row` is not less than `RowCount()`
  virtual std::span<const double> Row(std::size_t row) const = 0;
};

}  // namespace openmi
