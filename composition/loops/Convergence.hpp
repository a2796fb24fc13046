#pragma once

#include <cstddef>
#include <span>

namespace openmi {

/// How near is near enough.
struct LoopTolerance {
  double absolute = 0.0;  ///< in the unit of the item
  double relative = 0.0;  ///< of the largest of the item's values
};

/// How far the values of one item are from convergence.
struct LoopResidual {
  double largest = 0.0;  ///< max |H(x) - x|
  double limit = 0.0;    ///< what it may be
  /// A residual that is no number is none that is small.
  bool IsSmall() const { return largest <= limit; }
};

/// Measures the values of one item: the largest change against max(absolute, relative * max |H(x)|). In the largest
/// norm, so that the number of elements does not matter. Values that are missing in both count as equal.
LoopResidual MeasureItem(std::span<const double> iterate, std::span<const double> answer,
                         const LoopTolerance& tolerance);

/// The largest of an item's values by size; 0 where there is none.
double SizeOfItem(std::span<const double> values);

}  // namespace openmi
