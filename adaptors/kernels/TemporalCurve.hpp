#pragma once

#include <cstddef>
#include <span>

#include "adaptors/kernels/Blend.hpp"
#include "adaptors/kernels/TemporalMath.hpp"

namespace openmi {

/// Methods that are no weights of rows for all elements: each element has its slopes or extremes.
enum class CurveMethod {
  Cubic,         ///< stamps: the monotone cubic through the rows; spans: the smooth curve whose means are the rows
  Disaggregate,  ///< amounts over spans: the smooth curve whose totals are the rows, added up over the time asked for
  Minimum,       ///< the least value of `TemporalMethod::Linear` over a span; a question at a stamp is refused
  Maximum        ///< the greatest value; as Minimum otherwise
};

/// Answers questions about time element by element.
///
/// **Cubic, stamps.** Between t_i and t_{i+1} the curve is the cubic Hermite polynomial with the slopes
///
///     m_i = 0 where d_{i-1} d_i <= 0, else (w1 + w2) / (w1 / d_{i-1} + w2 / d_i),  w1 = 2 h_i + h_{i-1},
///     w2 = h_i + 2 h_{i-1}
///
/// where d are the slopes of the straight lines and h the lengths of the steps. At the first and last row it is the
/// three-point slope, limited so that it keeps the sign and at most 3 times the size of d. The curve lies in the region
/// that Fritsch and Carlson proved monotone: no value leaves the interval between its neighbours. A question over a
/// span gets the exact mean of that curve.
///
/// **Cubic and Disaggregate, spans.** The same polynomial goes through the running total at the edges of the spans. The
/// answers are its differences, so that totals are conserved by construction. A row that is nowhere negative never
/// gives a negative amount. A question at a stamp gets the slope of the total there.
///
/// If a row beside the needed one (or two) is missing, the slope is that at the first or last row. Outside the rows,
/// the curve continues as `TemporalOptions` state, along the line that `TemporalWeights` uses.
///
/// One object serves one consumer, as `TemporalWeights`; no allocation in steady state.
///
/// Source: [FritschCarlson1980] for the monotone region; [FritschButland1984] for the slopes.
class TemporalCurve {
 public:
  /// \param method  how rows become an answer
  /// \param options  `method` is not read
  /// \throws ArgumentError  as the constructor of `TemporalWeights`
  TemporalCurve(CurveMethod method, TemporalOptions options);

  /// Writes the answer into a row.
  /// \param times  of the history; spans only for Disaggregate
  /// \param rows  of the same history
  /// \param question  a stamp or a span, in days
  /// \param out  shape [elements]; disjoint from the rows
  /// \param missing  the value that means "no value"
  /// \throws ArgumentError  as `TemporalWeights::Answer`; rows at stamps with Disaggregate
  /// \throws RangeError  as `TemporalWeights::Answer`
  void Answer(const TimesView& times, RowReader rows, Interval question, std::span<double> out,
              double missing = kNotANumber);

  /// Whether a row after the newest one would change the answer, because the question reaches into the last step.
  bool WantsNextRow(const TimesView& times, Interval question) const;

 private:
  class Solver;
  CurveMethod method_;
  TemporalOptions options_;
  TemporalWeights line_;  // the line outside the rows, and whether it is allowed
};

}  // namespace openmi
