#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Chooses the points of a series that must be drawn so that it looks unchanged at a width of `columns` pixels.
///
/// Keeps in each column the first, the smallest, the largest and the last value, and the first missing value of each
/// gap that matters, so that a line breaks there. Keeps all points of a short series.
/// \param times   ascending; shape [n]
/// \param values  NaN where missing; shape [n]
/// \returns indices, ascending; at most about 5 * columns
std::vector<std::size_t> DecimateIndices(std::span<const double> times, std::span<const double> values, double from,
                                         double to, std::size_t columns);

}  // namespace openmi
