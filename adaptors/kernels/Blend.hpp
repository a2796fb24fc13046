#pragma once

#include <cstddef>
#include <span>

#include "adaptors/kernels/FunctionView.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// One term of a weighted sum of rows.
struct RowWeight {
  std::size_t row;  ///< index of the row in its history; 0 is the oldest
  double weight;    ///< dimensionless; never exactly 0 in an answer of `TemporalWeights`
  friend bool operator==(const RowWeight&, const RowWeight&) = default;
};

/// Gives the row with an index; shape [elements].
using RowReader = FunctionView<std::span<const double>(std::size_t)>;

/// Blends two rows of values linearly in time: v(t) = (1 - w) v0 + w v1, w = (t - t0) / (t1 - t0).
///
/// \param earlier  v0; shape [elements]; unit of the adaptee's value definition
/// \param later  v1; same shape, same unit
/// \param weight  w, dimensionless; 0 to 1 interpolates, outside extrapolates
/// \param out  v(t); same shape, same unit; either the memory of `earlier` or `later`, or disjoint from both
/// \param missing  the value that means "no value"; NaN, which is always missing, takes the fast path
/// \pre  `earlier.size() == later.size() && out.size() == earlier.size()`
/// \note  An element missing in either row is missing in `out`. A weight of exactly 0 or 1 skips the other row, so that
///   a gap there does not spoil a known time. Linear in elements, no allocation.
///
/// Source: [Kreyszig2011], sec. 19.3; time semantics after [OGC11-014r3], clause on ITimeSet.
void BlendRows(std::span<const double> earlier, std::span<const double> later, double weight, std::span<double> out,
               double missing = kNotANumber);

/// Weighted sum of rows: out = sum over k of weights[k].weight * rows(weights[k].row).
///
/// With weights that sum to 1 this is a mean. Every answer of a time adaptor is such a sum.
/// \param weights  terms, added in the order given; a weight of exactly 0 skips its row; without terms the sum is 0
/// \param rows  gives the rows; called several times for the same row, so it must be fast
/// \param out  shape [elements]; disjoint from the rows
/// \param missing  the value that means "no value"
/// \note  An element missing in any row with a weight is missing in `out`. So are the last elements of `out` that a
///   shorter row does not have. Terms times elements, no allocation.
void SumRows(std::span<const RowWeight> weights, RowReader rows, std::span<double> out, double missing = kNotANumber);

}  // namespace openmi
