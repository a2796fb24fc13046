#pragma once

#include <cstddef>
#include <span>

#include "adaptors/kernels/Blend.hpp"
#include "adaptors/kernels/TemporalMath.hpp"

namespace openmi {

/// What cannot be said as weights of rows that hold for all elements: each element has its own slopes or extremes.
enum class CurveMethod {
  Cubic,         ///< stamps: the monotone cubic through the rows; spans: the smooth curve with the rows as its means
  Disaggregate,  ///< amounts over spans: the smooth curve with the rows as its totals, added up over the question
  Minimum,       ///< the least value of `TemporalMethod::Linear` over a span; a stamp as question is refused
  Maximum        ///< the greatest
};

/// Answers questions about time element by element.
///
/// **Cubic, stamps.** Between t_i and t_{i+1} the cubic Hermite polynomial with the slopes
///
///     m_i = 0 where d_{i-1} d_i <= 0, else (w1 + w2) / (w1 / d_{i-1} + w2 / d_i),  w1 = 2 h_i + h_{i-1},
///     w2 = h_i + 2 h_{i-1}
///
/// with d the slopes of the straight lines and h the lengths of the steps; at the rim the three-point slope, limited so
/// that it keeps the sign and at most 3 times the size of d. It lies in the region that Fritsch and Carlson proved
/// monotone: no value leaves the interval between its neighbours. A span as question gets the exact mean of that curve.
///
/// **Cubic and Disaggregate, spans.** The same polynomial through the running total at the edges of the spans. Its
/// differences are the answers, so totals are conserved by construction, and a row that is nowhere negative is never
/// answered by a negative amount. A stamp as question gets the slope of the total there.
///
/// A row that is missing beside the two (or the one) needed counts as not there: the slope is that of the rim. Outside
/// the rows the curve goes on as `TemporalOptions` say, by the line that `TemporalWeights` uses.
///
/// One object serves one consumer, as `TemporalWeights`; no allocation in steady state.
///
/// Source: [FritschCarlson1980], [FritschButland1984].
class TemporalCurve {
 public:
  /// \param options  `method` is not read
  /// \throws ArgumentError  as TemporalWeights
  TemporalCurve(CurveMethod method, TemporalOptions options);

  /// Writes the answer into a row.
  /// \param times     of the history; spans only for Disaggregate
  /// \param rows      of the same history
  /// \param question  a stamp or a span, in days
  /// \param out       shape [elements]; disjoint from the rows
  /// \param missing   the value that means "no value"
  /// \throws ArgumentError, RangeError  as TemporalWeights::Answer; stamps as rows for Disaggregate
  void Answer(const TimesView& times, RowReader rows, Interval question, std::span<double> out,
              double missing = kNotANumber);

  /// Whether a row after the newest one would change the answer: the question cuts the last step there is.
  bool WantsNextRow(const TimesView& times, Interval question) const;

 private:
  class Solver;
  CurveMethod method_;
  TemporalOptions options_;
  TemporalWeights line_;  // what is outside, and whether it is allowed
};

}  // namespace openmi
