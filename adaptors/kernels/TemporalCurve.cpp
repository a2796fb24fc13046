#include "adaptors/kernels/TemporalCurve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The slope between two steps with the slopes d0, d1 of their straight lines and the lengths h0, h1.
double InnerSlope(double d0, double h0, double d1, double h1) {
  if (!(d0 * d1 > 0.0)) return 0.0;
  const double w0 = 2.0 * h1 + h0;
  const double w1 = h1 + 2.0 * h0;
  return (w0 + w1) / (w0 / d0 + w1 / d1);
}

/// The slope at the first or last row: of the step d, h, whose inner neighbour is d1, h1.
double RimSlope(double d, double h, double d1, double h1) {
  const double slope = ((2.0 * h + h1) * d - h * d1) / (h + h1);
  if (slope * d <= 0.0) return 0.0;
  if (d * d1 <= 0.0 && std::abs(slope) > 3.0 * std::abs(d)) return 3.0 * d;
  return slope;
}

/// The slopes at both ends of a step with straight slope d, from the slopes beside it; NaN for a missing one.
struct EndSlopes {
  double left, right;
};
EndSlopes EndSlopesOf(double before, double h_before, double d, double h, double after, double h_after) {
  const bool has_before = before == before;
  const bool has_after = after == after;
  EndSlopes slopes{d, d};
  if (has_before) slopes.left = InnerSlope(before, h_before, d, h);
  if (has_after) slopes.right = InnerSlope(d, h, after, h_after);
  if (!has_before && has_after) slopes.left = RimSlope(d, h, after, h_after);
  if (!has_after && has_before) slopes.right = RimSlope(d, h, before, h_before);
  return slopes;
}

/// A question as a linear form of the Hermite polynomial of one step: a factor for each of its four data. The data are
/// the values at the ends, and the slopes there times the length of the step.
struct Terms {
  double left, right, left_slope, right_slope;
};

Terms ValueAt(double s) {
  const double r = 1.0 - s;
  return {r * r * (1.0 + 2.0 * s), s * s * (3.0 - 2.0 * s), s * r * r, -s * s * r};
}

/// From the start of the step to s, in lengths of the step.
Terms IntegralTo(double s) {
  const double s2 = s * s;
  const double s3 = s2 * s;
  const double s4 = s2 * s2;
  return {s - s3 + 0.5 * s4, s3 - 0.5 * s4, 0.5 * s2 - 2.0 / 3.0 * s3 + 0.25 * s4, 0.25 * s4 - s3 / 3.0};
}

Terms SlopeAt(double s) {
  return {-6.0 * s * (1.0 - s), 6.0 * s * (1.0 - s), (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)};
}

Terms Difference(const Terms& a, const Terms& b) {
  return {a.left - b.left, a.right - b.right, a.left_slope - b.left_slope, a.right_slope - b.right_slope};
}

double Known(double value, double missing) {
  return value == missing ? kNotANumber : value;
}

}  // namespace

/// One question on one history.
class TemporalCurve::Solver {
 public:
  Solver(TemporalCurve& owner, const TimesView& times, RowReader rows, std::span<double> out, double missing)
      : owner_(owner), times_(times), rows_(rows), out_(out), missing_(missing), last_(times.count - 1) {}

  void Solve(Interval asked) {
    const Interval domain{Begin(0), End(last_)};
    const double tolerance = owner_.options_.tolerance;
    const bool is_instant = asked.begin == asked.end;  // both ends move, else it would end before its start
    for (const double border : {domain.begin, domain.end}) {
      if ((is_instant || border == domain.begin) && std::abs(asked.begin - border) <= tolerance) asked.begin = border;
      if ((is_instant || border == domain.end) && std::abs(asked.end - border) <= tolerance) asked.end = border;
    }
    const bool outside = asked.begin < domain.begin || asked.end > domain.end;
    if (outside && owner_.options_.outside == OutsidePolicy::Missing) return Fill(missing_);
    if (outside && owner_.options_.outside == OutsidePolicy::Throw) {
      static_cast<void>(owner_.line_.Answer(times_, asked));  // throws with its message
    }
    common_ = out_.size();
    const bool extremes = owner_.method_ == CurveMethod::Minimum || owner_.method_ == CurveMethod::Maximum;
    extremes ? Extremes(asked, domain) : Smooth(asked, domain);
    for (std::size_t i = 0; i < common_; ++i) out_[i] = out_[i] != out_[i] ? missing_ : out_[i];
    std::fill(out_.begin() + static_cast<std::ptrdiff_t>(common_), out_.end(), missing_);
  }

 private:
  double Begin(std::size_t row) const { return times_.at(row).begin; }
  double End(std::size_t row) const { return times_.spans ? times_.at(row).end : Begin(row); }
  void Fill(double value) { std::fill(out_.begin(), out_.end(), value); }
  std::span<const double> Row(std::size_t row) {
    const std::span<const double> values = rows_(row);
    common_ = std::min(common_, values.size());
    return values;
  }
  /// The last row that starts at t or before, else 0.
  std::size_t Find(double t) const {
    std::size_t low = 0;
    std::size_t high = times_.count;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (Begin(middle) <= t + owner_.options_.tolerance ? low : high) = middle;
    }
    return low;
  }

  // --- smooth curves

  void Smooth(Interval asked, Interval domain) {
    if (asked.begin == asked.end) {
      if (owner_.method_ == CurveMethod::Disaggregate) return Fill(0.0);  // closed by the tolerance: no amount
      if (asked.begin < domain.begin || asked.begin > domain.end) return AddLine(asked, 1.0, true);
      return AtInstant(asked.begin);
    }
    const bool amounts = owner_.method_ == CurveMethod::Disaggregate;
    const double scale = amounts ? 1.0 : 1.0 / (asked.end - asked.begin);
    bool first = true;
    const auto outside = [&](double from, double to) {
      if (!(to > from)) return;
      AddLine({from, to}, amounts ? 1.0 : (to - from) * scale, first);
      first = false;
    };
    outside(asked.begin, std::min(asked.end, domain.begin));
    const Interval inside{std::max(asked.begin, domain.begin), std::min(asked.end, domain.end)};
    if (inside.end > inside.begin) {
      const std::size_t steps = times_.spans ? times_.count : last_;
      for (std::size_t row = Find(inside.begin); row < steps; ++row) {
        const double begin = Begin(row);
        const double end = times_.spans ? End(row) : Begin(row + 1);
        if (begin >= inside.end) break;
        const double from = std::max(inside.begin, begin);
        const double to = std::min(inside.end, end);
        if (times_.spans && row < last_ && inside.end > end && Begin(row + 1) - end > owner_.options_.tolerance) {
          return Fill(missing_);  // over a hole
        }
        if (!(to > from)) {
          if (times_.spans && from > end + owner_.options_.tolerance) return Fill(missing_);
          continue;
        }
        AddStep(row, (from - begin) / (end - begin), (to - begin) / (end - begin), (end - begin) * scale, first);
        first = false;
      }
    }
    outside(std::max(asked.begin, domain.end), asked.end);
    if (first) Fill(missing_);
  }

  void AtInstant(double t) {
    const std::size_t row = Find(t);
    const double tolerance = owner_.options_.tolerance;
    if (!times_.spans) {
      if (std::abs(t - Begin(row)) <= tolerance || row == last_) return Copy(row);
      const double length = Begin(row + 1) - Begin(row);
      return AddPolynomial(row, ValueAt((t - Begin(row)) / length), 1.0, true);
    }
    if (row > 0 && t <= End(row - 1) + tolerance) return SlopeOfTotals(row - 1, 1.0);  // where two spans meet
    if (t > End(row) + tolerance) return Fill(missing_);                               // in a hole
    SlopeOfTotals(row, std::clamp((t - Begin(row)) / (End(row) - Begin(row)), 0.0, 1.0));
  }

  void SlopeOfTotals(std::size_t row, double s) { AddTotals(row, SlopeAt(s), 1.0, true); }

  void Copy(std::size_t row) {
    const std::span<const double> values = Row(row);
    for (std::size_t i = 0; i < common_; ++i) out_[i] = Known(values[i], missing_);
  }

  /// Adds the part of one step from s0 to s1 (in its lengths), times `scale`. `scale` is days (of the mean's part) for
  /// means and 1 / days for amounts, whose rows are divided by their length.
  void AddStep(std::size_t row, double s0, double s1, double scale, bool first) {
    if (times_.spans) {
      const bool amounts = owner_.method_ == CurveMethod::Disaggregate;
      const double factor = amounts ? scale / (End(row) - Begin(row)) : scale;
      // A whole row is used as it is, exact to the last digit.
      if (s0 <= 0.0 && s1 >= 1.0) return AddRow(row, factor, first);
      return AddTotals(row, Difference(ValueAt(s1), ValueAt(s0)), factor, first);
    }
    AddPolynomial(row, Difference(IntegralTo(s1), IntegralTo(s0)), scale, first);
  }

  void AddRow(std::size_t row, double factor, bool first) {
    const std::span<const double> values = Row(row);
    for (std::size_t i = 0; i < common_; ++i) {
      out_[i] = (first ? 0.0 : out_[i]) + factor * Known(values[i], missing_);
    }
  }

  /// The polynomial between the stamps row and row + 1.
  void AddPolynomial(std::size_t row, const Terms& terms, double scale, bool first) {
    const std::span<const double> left = Row(row);
    const std::span<const double> right = Row(row + 1);
    const std::span<const double> before = row > 0 ? Row(row - 1) : std::span<const double>();
    const std::span<const double> after = row + 1 < last_ ? Row(row + 2) : std::span<const double>();
    const double h = Begin(row + 1) - Begin(row);
    const double h0 = row > 0 ? Begin(row) - Begin(row - 1) : 1.0;
    const double h2 = row + 1 < last_ ? Begin(row + 2) - Begin(row + 1) : 1.0;
    for (std::size_t i = 0; i < common_; ++i) {
      const double a = Known(left[i], missing_);
      const double b = Known(right[i], missing_);
      const double d0 = before.empty() ? kNotANumber : (a - Known(before[i], missing_)) / h0;
      const double d2 = after.empty() ? kNotANumber : (Known(after[i], missing_) - b) / h2;
      const EndSlopes slopes = EndSlopesOf(d0, h0, (b - a) / h, h, d2, h2);
      const double value =
          terms.left * a + terms.right * b + h * (terms.left_slope * slopes.left + terms.right_slope * slopes.right);
      out_[i] = (first ? 0.0 : out_[i]) + scale * value;
    }
  }

  /// The running total over the span of a row: 0 at its start, its value (times its length) at its end.
  void AddTotals(std::size_t row, const Terms& terms, double scale, bool first) {
    const double tolerance = owner_.options_.tolerance;
    const bool joins_before = row > 0 && Begin(row) - End(row - 1) <= tolerance;
    const bool joins_after = row < last_ && Begin(row + 1) - End(row) <= tolerance;
    const std::span<const double> values = Row(row);
    const std::span<const double> before = joins_before ? Row(row - 1) : std::span<const double>();
    const std::span<const double> after = joins_after ? Row(row + 1) : std::span<const double>();
    const double h = End(row) - Begin(row);
    const double h0 = joins_before ? End(row - 1) - Begin(row - 1) : 1.0;
    const double h2 = joins_after ? End(row + 1) - Begin(row + 1) : 1.0;
    // Amounts of neighbours are compared as rates.
    const bool amounts = owner_.method_ == CurveMethod::Disaggregate;
    const double f0 = amounts ? h / h0 : 1.0;
    const double f2 = amounts ? h / h2 : 1.0;
    for (std::size_t i = 0; i < common_; ++i) {
      const double r = Known(values[i], missing_);
      const double r0 = before.empty() ? kNotANumber : f0 * Known(before[i], missing_);
      const double r2 = after.empty() ? kNotANumber : f2 * Known(after[i], missing_);
      const EndSlopes slopes = EndSlopesOf(r0, h0, r, h, r2, h2);
      const double value = terms.right * r + terms.left_slope * slopes.left + terms.right_slope * slopes.right;
      out_[i] = (first ? 0.0 : out_[i]) + scale * value;
    }
  }

  /// Adds the part outside the rows, along the line through the two outermost rows.
  void AddLine(Interval part, double scale, bool first) {
    const TemporalAnswer line = owner_.line_.Answer(times_, part);
    if (first) Fill(0.0);
    for (const RowWeight& term : line.weights) {
      const std::span<const double> values = Row(term.row);
      for (std::size_t i = 0; i < common_; ++i) out_[i] += scale * term.weight * Known(values[i], missing_);
    }
  }

  // --- extremes

  void Extremes(Interval asked, Interval domain) {
    bool first = true;
    const auto take = [&](std::span<const RowWeight> weights) {
      for (std::size_t i = 0; i < common_; ++i) {
        double value = 0.0;
        for (const RowWeight& term : weights) value += term.weight * Known(rows_(term.row)[i], missing_);
        Take(i, value, first);
      }
      first = false;
    };
    const auto widths = [&](std::span<const RowWeight> weights) {
      for (const RowWeight& term : weights) static_cast<void>(Row(term.row));
    };
    const auto take_line = [&](Interval part) {
      const TemporalAnswer line = owner_.line_.Answer(times_, part);
      if (line.missing) return false;
      widths(line.weights);
      take(line.weights);
      return true;
    };
    // The line between rows has its extremes at rows and at the ends of the question; steps have them at rows.
    if (!times_.spans) {
      if (!take_line({asked.begin, asked.begin}) || !take_line({asked.end, asked.end})) return Fill(missing_);
    } else {
      if (asked.begin < domain.begin && !take_line({asked.begin, std::min(asked.end, domain.begin)})) return;
      if (asked.end > domain.end && !take_line({std::max(asked.begin, domain.end), asked.end})) return;
      const Interval inside{std::max(asked.begin, domain.begin), std::min(asked.end, domain.end)};
      if (inside.end > inside.begin && owner_.line_.Answer(times_, inside).missing) return Fill(missing_);  // a hole
    }
    const double tolerance = owner_.options_.tolerance;
    for (std::size_t row = Find(asked.begin); row <= last_ && Begin(row) < asked.end - tolerance; ++row) {
      if (End(row) <= asked.begin + tolerance) continue;
      const RowWeight whole{row, 1.0};
      static_cast<void>(Row(row));
      take(std::span(&whole, 1));
    }
  }

  void Take(std::size_t i, double value, bool first) {
    if (first || value != value) {
      out_[i] = value;
    } else if (owner_.method_ == CurveMethod::Minimum ? value < out_[i] : value > out_[i]) {
      out_[i] = value;
    }
  }

  TemporalCurve& owner_;
  const TimesView& times_;
  RowReader rows_;
  std::span<double> out_;
  double missing_;
  std::size_t last_;
  std::size_t common_ = 0;
};

TemporalCurve::TemporalCurve(CurveMethod method, TemporalOptions options)
    : method_(method), options_(options), line_([&] {
        options.method = method == CurveMethod::Disaggregate ? TemporalMethod::Sum : TemporalMethod::Linear;
        return options;
      }()) {}

void TemporalCurve::Answer(const TimesView& times, RowReader rows, Interval question, std::span<double> out,
                           double missing) {
  const bool needs_span = method_ != CurveMethod::Cubic;
  if (needs_span && question.begin == question.end) {
    throw ArgumentError({}, fmt::format("expected a span, found the stamp {} (MJD)", question.begin),
                        "ask for a span, or use a linear, previous or cubic adaptor for stamps");
  }
  if (method_ == CurveMethod::Disaggregate && !times.spans && times.count > 0) {
    throw ArgumentError({}, "expected amounts over spans to spread, found amounts at stamps",
                        "use sum-over-span, or let the provider give spans");
  }
  // Invalid questions, and histories without rows, have one answer and one message.
  if (times.count == 0 || !std::isfinite(question.begin) || !std::isfinite(question.end) ||
      question.end < question.begin) {
    static_cast<void>(line_.Answer(times, question));
    std::fill(out.begin(), out.end(), missing);
    return;
  }
  Solver(*this, times, rows, out, missing).Solve(question);
}

bool TemporalCurve::WantsNextRow(const TimesView& times, Interval question) const {
  if (method_ == CurveMethod::Minimum || method_ == CurveMethod::Maximum || times.count == 0) return false;
  const Interval last = times.at(times.count - 1);
  const double tolerance = options_.tolerance;
  if (times.spans) {
    // Whether the end or the start of the question cuts the last step.
    const auto inside = [&](double t) { return t > last.begin + tolerance && t < last.end - tolerance; };
    // A stamp at the start of the last row belongs to the row that ends there, if there is one.
    const bool joins_before = times.count > 1 && last.begin - times.at(times.count - 2).end <= tolerance;
    const double first = joins_before ? last.begin + tolerance : last.begin - 2.0 * tolerance;
    const bool stamp = question.begin == question.end;
    return inside(question.end) || inside(question.begin) || (stamp && question.end > first);
  }
  if (times.count < 2) return false;
  const double before = times.at(times.count - 2).begin;
  return question.end > before + tolerance && question.begin < last.begin - tolerance &&
         question.end <= last.begin + tolerance;
}

}  // namespace openmi
