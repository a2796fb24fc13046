#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Which points of a series have to be drawn so that it looks the same when `columns` pixels wide.
///
/// Keeps in each column the first, the smallest, the largest and the last value, and the first missing value of each
/// gap that matters, so that a line breaks there. All points are kept where there are few. \param times   ascending;
/// shape [n] \param values  NaN where missing; shape [n] \returns indices, ascending; at most about 5 * columns
std::vector<std::size_t> DecimateIndices(std::span<const double> times, std::span<const double> values, double from,
                                         double to, std::size_t columns);

}  // namespace openmi
