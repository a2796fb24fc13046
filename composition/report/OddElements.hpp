#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "composition/record/SeriesFigures.hpp"

namespace openmi {

/// An element that differs from most others.
struct OddElement {
  std::size_t element = 0;
  double distance = 0.0;  ///< the largest of its distances, in usual spreads
  std::string why;        ///< the figures that are far from the median, the farthest first; plain text
};

/// The least distance of an odd element, and the least number of elements among which one can be odd.
inline constexpr double kOddFrom = 5.0;
inline constexpr std::size_t kFewestForOdd = 20;

/// Finds the elements that differ most from the others.
///
/// Of each element five figures are compared with their medians over all elements: its mean, smallest and largest
/// value, the time of the largest one, and the number of missing values. A distance is |figure - median| / spread. The
/// spread is 1.4826 times the median of |figure - median| (the standard deviation of normal figures); if that is
/// 0, 1.2533 times their mean. Spreads below a millionth of the median are rounding. A balance error above `tolerance`
/// is odd, too: its distance is error / tolerance.
/// \param balance_errors  relative; NaN: unknown; shape [elements], or empty
/// \returns at most `most` elements from a distance of kOddFrom on, the largest first
std::vector<OddElement> OddElements(const SeriesFigures& figures, const std::string& unit,
                                    std::span<const double> balance_errors, double tolerance, std::size_t most = 10);

}  // namespace openmi
