#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// The tolerance within which the values of an item count as converged.
struct LoopTolerance {
  double absolute = 0.0;  ///< in the unit of the item
  double relative = 0.0;  ///< dimensionless; relative to the largest of the item's values
};

/// How far the values of one item are from convergence.
struct LoopResidual {
  double largest = 0.0;  ///< max |H(x) - x|
  double limit = 0.0;    ///< the largest residual that counts as converged
  /// Whether the item has converged. A residual that is not a number has not.
  bool IsSmall() const { return largest <= limit; }
};

/// Compares the largest change of one item with max(absolute, relative * max |H(x)|). It uses the maximum norm, so that
/// the number of elements does not matter. Values that are missing in both count as equal.
/// \param iterate  x; shape [values]
/// \param answer   H(x); same shape
LoopResidual MeasureItem(std::span<const double> iterate, std::span<const double> answer,
                         const LoopTolerance& tolerance);

/// The largest absolute value of an item; 0 if there is none.
double SizeOfItem(std::span<const double> values);

}  // namespace openmi
