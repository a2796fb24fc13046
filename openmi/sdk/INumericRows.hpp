#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// The contiguous door of a numeric value set: its values as rows of doubles, without one Value for each.
///
/// A value set whose last index runs along the row offers this interface beside IBaseValueSet; for values by time and
/// element a row is the elements of one time. Rows may have different lengths. Whoever finds the door (by dynamic_cast,
/// once, when a link is made) uses it; whoever does not goes through GetValue.
class INumericRows {
 public:
  virtual ~INumericRows() = default;

  /// The number of rows.
  virtual std::size_t RowCount() const = 0;

  /// The values of one row, in the unit of the item's value definition. Stays good as long as the values of the set do.
  /// \throws RangeError  `row` is not less than RowCount()
  virtual std::span<const double> Row(std::size_t row) const = 0;
};

}  // namespace openmi
