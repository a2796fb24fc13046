#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "adaptors/kernels/Blend.hpp"
#include "adaptors/kernels/FunctionView.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

/// A stretch of time in days (Modified Julian Day); a stamp where begin and end are equal.
struct Interval {
  double begin;
  double end;
};

/// What a history says about its times; borrowed for the length of one call.
///
/// \pre strictly increasing; stamps only or spans only; a span starts where the one before it ended, or later (a hole)
struct TimesView {
  FunctionView<Interval(std::size_t)> at;  ///< the time of row i, 0 is the oldest
  std::size_t count;                       ///< number of rows
  bool spans;                              ///< rows stand for spans, not for stamps
};

/// How rows become an answer. A span as question always gets the mean of the curve below over that span, but for `Sum`.
enum class TemporalMethod {
  Linear,    ///< stamps: straight lines between rows; spans: the value of the span
  Previous,  ///< a row holds from its start until the next one starts; where two spans meet, the earlier answers
  Next,      ///< a row holds up to its end, from the end of the one before; a question at a stamp gets that stamp's row
  Nearest,   ///< the nearest row in time; half-way between two rows the later one
  Mean,      ///< the mean of `Linear` over a span; a stamp as question is refused
  Integral,  ///< the mean times the seconds of the span; a stamp as question is refused
  Sum        ///< amounts: spans give pro rata of their length, stamps wholly or not; a stamp as question is refused
};

/// What to do with a question that is not wholly inside the times of the history.
enum class OutsidePolicy {
  Extrapolate,  ///< `Linear` and `Mean` by the relaxation factor, sums of spans by the rate, the others hold the last
                ///< row
  Missing,      ///< the answer is missing
  Throw         ///< RangeError
};

struct TemporalOptions {
  TemporalMethod method = TemporalMethod::Linear;
  OutsidePolicy outside = OutsidePolicy::Extrapolate;
  double relaxation = 1.0;                  ///< r in [0, 1]: 1 holds the nearest value, 0 extrapolates linearly
  double tolerance = kTimeTolerance.count;  ///< days; times not further apart than this are equal
  bool amounts_at_end = false;              ///< sums of stamps count the stamps in (begin, end] instead of [begin, end)
};

/// The rows that answer a question, and how much of each.
struct TemporalAnswer {
  std::span<const RowWeight> weights;  ///< by row, none with weight 0; good until the next question
  bool missing = false;                ///< no answer: outside the history, or over a hole between spans
  bool extrapolated = false;           ///< some part of the question lies outside the history
};

/// Answers questions about time out of a history of rows. Since every answer is linear in the rows, it comes as
/// weights: the rows themselves are not touched here (`SumRows` does that).
///
/// For `Linear` the mathematics is that of the OpenMI buffer, with w = 1 - r, the first rows x0, x1 and the last xM,
/// xN:
/// - stamps, asked a stamp: the straight line between neighbours; before x0 + w (x1 - x0) / (t1 - t0) (t - t0), after
///   likewise with xM, xN;
/// - stamps, asked a span: the mean of that curve;
/// - spans, asked a span: the mean weighted by overlap; outside the line through the mid points of the two spans at the
/// rim;
/// - spans, asked a stamp: the span with begin < t <= end, and at its begin too where no span ends there; outside the
///   line through x0 at b0 and x1 at b1, or through xM at eM and xN at eN.
/// A single row is its own extrapolation. Times within the tolerance of a row's begin or end count as equal to it.
///
/// One object serves one consumer: it remembers where the last question was and keeps its buffer, so that in steady
/// state nothing is allocated and a question next to the last one costs no search. Not for several threads at once.
///
/// Source: reference buffer of the OpenMI SDK (relaxation factor), OGC 11-014r3 on ITimeSet for stamps and spans.
class TemporalWeights {
 public:
  /// \throws ArgumentError  the relaxation factor is outside [0, 1], or the tolerance negative or not finite
  explicit TemporalWeights(TemporalOptions options = {});

  const TemporalOptions& Options() const { return options_; }

  /// \param times     of the history; may have grown or been trimmed since the last question
  /// \param question  a stamp or a span, in days, finite, begin <= end
  /// \returns the rows and weights; with no rows at all the answer is missing
  /// \throws ArgumentError  a question that is not finite or runs backwards; a stamp where the method needs a span
  /// \throws RangeError     `OutsidePolicy::Throw`, and the question is not inside the history, or there are no rows
  TemporalAnswer Answer(const TimesView& times, Interval question);

 private:
  class Solver;
  TemporalOptions options_;
  std::vector<RowWeight> weights_;
  std::size_t hint_ = 0;
};

/// Puts the answer into a row: `SumRows` of the answer's weights, or the missing value everywhere if there is no
/// answer. \param rows  of the history the answer was made for \param out   shape [elements]; disjoint from the rows
void ApplyAnswer(const TemporalAnswer& answer, RowReader rows, std::span<double> out, double missing = kNotANumber);

}  // namespace openmi
