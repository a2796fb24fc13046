#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "adaptors/kernels/Blend.hpp"
#include "adaptors/kernels/FunctionView.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A stretch of time in days (Modified Julian Day); a stamp where begin and end are equal.
struct Interval {
  double begin;
  double end;
};

/// The times of a history; borrowed for the length of one call.
///
/// \pre  Times are strictly increasing, and either all stamps or all spans. A span starts where the one before it ends,
///   or later, which leaves a hole.
struct TimesView {
  FunctionView<Interval(std::size_t)> at;  ///< the time of row i, 0 is the oldest
  std::size_t count;                       ///< number of rows
  bool spans;                              ///< rows hold over spans, not at stamps
};

/// How rows become an answer. A question over a span always gets the mean of the curve over that span, except with
/// `Sum`.
enum class TemporalMethod {
  Linear,    ///< stamps: straight lines between rows; spans: the value of the span
  Previous,  ///< a row holds from its start until the next one starts; where two spans meet, the earlier row answers
  Next,      ///< a row holds from the end of the row before until its end; a question at a stamp gets that stamp's row
  Nearest,   ///< the nearest row in time; half-way between two rows, the later one
  Mean,      ///< the mean of `Linear` over a span; a question at a stamp is refused
  Integral,  ///< the mean times the seconds of the span; a question at a stamp is refused
  Sum        ///< amounts: spans give the share of their length, stamps all or nothing; a question at a stamp is refused
};

/// What to do with a question that is not wholly inside the times of the history.
enum class OutsidePolicy {
  Extrapolate,  ///< `Linear` and `Mean` by the relaxation factor, sums of spans by the rate, others hold the last row
  Missing,      ///< the answer is missing
  Throw         ///< RangeError
};

/// Options of `TemporalWeights`.
struct TemporalOptions {
  TemporalMethod method = TemporalMethod::Linear;
  OutsidePolicy outside = OutsidePolicy::Extrapolate;
  double relaxation = 1.0;                  ///< r in [0, 1]: 1 holds the nearest value, 0 extrapolates linearly
  double tolerance = kTimeTolerance.count;  ///< days; times not further apart than this are equal
  bool amounts_at_end = false;              ///< sums of stamps count the stamps in (begin, end] instead of [begin, end)
};

/// The rows that answer a question, with their weights.
struct TemporalAnswer {
  std::span<const RowWeight> weights;  ///< by row, none with weight 0; valid until the next question
  bool missing = false;                ///< no answer: outside the history, or over a hole between spans
  bool extrapolated = false;           ///< a part of the question lies outside the history
};

/// Answers questions about time from a history of rows.
///
/// Every answer is linear in the rows, so it is given as weights. The rows themselves are not read here; `SumRows`
/// applies the weights.
///
/// For `Linear` the mathematics is that of the OpenMI buffer. Let w = 1 - r, x0 and x1 the first rows, xM and xN the
/// last.
/// - Stamps, question at a stamp: the straight line between neighbours. Before the first row: x0 + w (x1 - x0) / (t1 -
///   t0) (t - t0). After the last row likewise with xM and xN.
/// - Stamps, question over a span: the mean of that curve.
/// - Spans, question over a span: the mean weighted by overlap. Outside: the line through the middles of the two
///   outermost spans.
/// - Spans, question at a stamp: the span with begin < t <= end, and at its start too where no span ends there.
///   Outside: the line through x0 at b0 and x1 at b1, or through xM at eM and xN at eN.
///
/// A single row is its own extrapolation. Times within the tolerance of a row's start or end count as equal to it.
///
/// One object serves one consumer. It remembers where the last question was and keeps its buffer. In steady state it
/// allocates nothing, and a question next to the last one needs no search. It must not be used by several threads at
/// once.
///
/// Source: [OGC11-014r3] on ITimeSet for stamps and spans; SmartBuffer of the OpenMI SDK for the relaxation factor.
/// spans.
class TemporalWeights {
 public:
  /// \throws ArgumentError  the relaxation factor is outside [0, 1], or the tolerance is negative or not finite
  explicit TemporalWeights(TemporalOptions options = {});

  const TemporalOptions& Options() const { return options_; }

  /// Answers one question.
  /// \param times  of the history; may have grown or been trimmed since the last question
  /// \param question  a stamp or a span, in days; finite, begin <= end
  /// \returns the rows and weights; without rows the answer is missing
  /// \throws ArgumentError  a question that is not finite or has its end before its start; a stamp where the method
  ///   needs a span
  /// \throws RangeError  the question is not inside the history, or there are no rows, with `OutsidePolicy::Throw`
  TemporalAnswer Answer(const TimesView& times, Interval question);

 private:
  class Solver;
  TemporalOptions options_;
  std::vector<RowWeight> weights_;
  std::size_t hint_ = 0;
};

/// Writes an answer into a row: `SumRows` of its weights, or the missing value everywhere if there is no answer.
/// \param answer  its weights
/// \param rows  of the history that the answer was made for
/// \param out  shape [elements]; disjoint from the rows
/// \param missing  the value that means "no value"
void ApplyAnswer(const TemporalAnswer& answer, RowReader rows, std::span<double> out, double missing = kNotANumber);

}  // namespace openmi
