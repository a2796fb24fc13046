#include "adaptors/kernels/TemporalMath.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "openmi/sdk/Error.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

/// One question, with the history and the weights gathered so far.
class TemporalWeights::Solver {
 public:
  Solver(TemporalWeights& owner, const TimesView& times)
      : owner_(owner), options_(owner.options_), times_(times), last_(times.count - 1), hint_(owner.hint_) {
    domain_ = {Begin(0), End(last_)};
  }

  TemporalAnswer Solve(Interval question) {
    const Interval asked{Snap(question.begin), Snap(question.end)};
    TemporalAnswer answer;
    answer.extrapolated = asked.begin < domain_.begin || asked.end > domain_.end;
    if (answer.extrapolated && options_.outside == OutsidePolicy::Throw) RefuseOutside(question);
    const bool refused = answer.extrapolated && options_.outside == OutsidePolicy::Missing;
    answer.missing = refused || !Gather(asked);
    if (answer.missing) owner_.weights_.clear();
    std::erase_if(owner_.weights_, [](const RowWeight& term) { return term.weight == 0.0; });
    owner_.hint_ = hint_;
    answer.weights = owner_.weights_;
    return answer;
  }

 private:
  double Begin(std::size_t row) const { return times_.at(row).begin; }

  /// The end of a row. If the next row starts at the same time but for rounding, the result is exactly that start, so
  /// that the pieces of a question add up to the question.
  double End(std::size_t row) const {
    if (!times_.spans) return Begin(row);
    const double end = times_.at(row).end;
    if (row == last_) return end;
    const double next = Begin(row + 1);
    return end >= next - options_.tolerance ? next : end;
  }

  bool Steps() const {
    return times_.spans || options_.method == TemporalMethod::Previous || options_.method == TemporalMethod::Next ||
           options_.method == TemporalMethod::Nearest;
  }

  bool HoldsOutside() const {
    return options_.method == TemporalMethod::Previous || options_.method == TemporalMethod::Next ||
           options_.method == TemporalMethod::Nearest;
  }

  /// The time at which the step curve changes from row - 1 to row.
  double StepBegin(std::size_t row) const {
    switch (options_.method) {
      case TemporalMethod::Next:
        return End(row - 1);
      case TemporalMethod::Nearest:
        return 0.5 * (End(row - 1) + Begin(row));
      default:
        return Begin(row);
    }
  }

  /// The last row whose `begin(row)` is at most t (or below t, if `open`), else row 0; `begin(0)` is never called.
  template <typename BeginOf>
  std::size_t Find(double t, const BeginOf& begin, bool open = false) {
    const auto reached = [&](std::size_t row) { return open ? begin(row) < t : begin(row) <= t; };
    std::size_t low = std::min(hint_, last_);
    if (low > 0 && !reached(low)) {
      std::size_t high = low;
      low = 0;
      if (high > 1 && reached(high - 1)) return hint_ = high - 1;
      return hint_ = Bisect(low, high, reached);
    }
    // Most questions move on by a row or two.
    for (int step = 0; step < 3; ++step) {
      if (low == last_ || !reached(low + 1)) return hint_ = low;
      ++low;
    }
    return hint_ = Bisect(low, last_ + 1, reached);
  }

  /// `low` is reached, `high` is not.
  template <typename Reached>
  static std::size_t Bisect(std::size_t low, std::size_t high, const Reached& reached) {
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (reached(middle) ? low : high) = middle;
    }
    return low;
  }

  std::size_t FindRow(double t) {
    return Find(t, [this](std::size_t row) { return Begin(row); });
  }

  std::size_t FindStep(double t) {
    const bool open = options_.method == TemporalMethod::Next && !times_.spans;
    return Find(
        t, [this](std::size_t row) { return StepBegin(row); }, open);
  }

  double Snap(double t) {
    const std::size_t row = FindRow(t);
    double nearest = Begin(row);
    const auto consider = [&](double edge) {
      if (std::abs(edge - t) < std::abs(nearest - t)) nearest = edge;
    };
    consider(End(row));
    if (row < last_) consider(Begin(row + 1));
    return std::abs(nearest - t) <= options_.tolerance ? nearest : t;
  }

  [[noreturn]] void RefuseOutside(Interval question) const {
    throw RangeError({},
                     fmt::format("expected a time within the {} rows known, {} to {} (MJD), found {} to {}",
                                 times_.count, domain_.begin, domain_.end, question.begin, question.end),
                     "ask inside that horizon, or allow extrapolation on the adaptor");
  }

  void Open(std::size_t first, std::size_t last) {
    auto& weights = owner_.weights_;
    weights.clear();
    for (std::size_t row = first; row <= last; ++row) weights.push_back({row, 0.0});
    first_open_ = first;
  }

  void Add(std::size_t row, double weight) { owner_.weights_[row - first_open_].weight += weight; }

  /// Gathers the weights; false if the history has no answer.
  bool Gather(Interval asked) {
    if (options_.method == TemporalMethod::Sum && !times_.spans) return CountStamps(asked);
    if (asked.begin == asked.end) {
      if (options_.method != TemporalMethod::Sum && options_.method != TemporalMethod::Integral) {
        return AtInstant(asked.begin);
      }
      owner_.weights_.clear();  // a span closed by the tolerance holds no amount
      return true;
    }
    return OverSpan(asked);
  }

  bool CountStamps(Interval asked) {
    const auto before = [&](double t) {  // number of stamps < t, or <= t
      const std::size_t row = FindRow(t);
      const double begin = Begin(row);
      return row + ((options_.amounts_at_end ? begin <= t : begin < t) ? 1U : 0U);
    };
    const std::size_t first = before(asked.begin);
    const std::size_t last = before(asked.end);
    owner_.weights_.clear();
    for (std::size_t row = first; row < last; ++row) owner_.weights_.push_back({row, 1.0});
    return true;
  }

  bool AtInstant(double t) {
    if (t < domain_.begin) {
      Open(0, std::min<std::size_t>(1, last_));
      AddRim(0, 1, StepsBefore(t));
      return true;
    }
    if (t >= domain_.end) {
      const std::size_t inner = last_ == 0 ? 0 : last_ - 1;
      Open(inner, last_);
      AddRim(last_, inner, last_ == 0 ? 0.0 : (t - End(last_)) / (End(last_) - End(inner)));
      return true;
    }
    if (Steps()) {
      // Half-way is a time like others: within the tolerance it counts as equal, and then the later row answers.
      std::size_t row = FindStep(options_.method == TemporalMethod::Nearest ? t + options_.tolerance : t);
      if (times_.spans && row > 0 && t <= End(row - 1)) --row;  // where two spans meet, the one that ends there
      if (times_.spans && !HoldsOutside() && t > End(row)) return false;
      Open(row, row);
      Add(row, 1.0);
      return true;
    }
    const std::size_t row = FindRow(t);
    const double begin = Begin(row);
    Open(row, std::min(row + 1, last_));
    if (t == begin) {
      Add(row, 1.0);
    } else {
      const double weight = (t - begin) / (Begin(row + 1) - begin);
      Add(row, 1.0 - weight);
      Add(row + 1, weight);
    }
    return true;
  }

  bool OverSpan(Interval asked) {
    const bool left = asked.begin < domain_.begin;
    const bool right = asked.end > domain_.end;
    std::size_t first = Steps() ? FindStep(asked.begin) : FindRow(asked.begin);
    std::size_t last = Steps() ? FindStep(asked.end) : std::min(FindRow(asked.end) + 1, last_);
    const std::size_t inner_first = first;
    const std::size_t inner_last = last;
    if (left) last = std::max(last, std::min<std::size_t>(1, last_));
    if (right && last_ > 0) first = std::min(first, last_ - 1);
    Open(first, last);

    if (left) AddLeft(asked.begin, std::min(asked.end, domain_.begin));
    const Interval inside{std::max(asked.begin, domain_.begin), std::min(asked.end, domain_.end)};
    if (inside.end > inside.begin) {
      if (!Steps()) {
        AddLines(inside, inner_first, inner_last);
      } else if (!AddSteps(inside, inner_first, inner_last)) {
        return false;
      }
    }
    if (right) AddRight(std::max(asked.begin, domain_.end), asked.end);
    Normalise();
    return true;
  }

  void AddLines(Interval inside, std::size_t first, std::size_t last) {
    double begin = Begin(first);
    for (std::size_t row = first; row < last; ++row) {
      const double end = Begin(row + 1);
      const double from = std::max(inside.begin, begin);
      const double to = std::min(inside.end, end);
      if (to > from) {
        const double length = Cover(from, to);
        const double weight = (Length(begin, from) + 0.5 * length) / Length(begin, end);
        Add(row, (1.0 - weight) * length);
        Add(row + 1, weight * length);
      }
      begin = end;
    }
  }

  bool AddSteps(Interval inside, std::size_t first, std::size_t last) {
    double begin = first == 0 ? -kInfinity : StepBegin(first);
    for (std::size_t row = first; row <= last; ++row) {
      const double next = row == last_ ? kInfinity : StepBegin(row + 1);
      double end = next;
      if (!HoldsOutside()) {
        end = std::min(end, End(row));
        if (row < last_ && end < next && inside.begin < next && inside.end > end) return false;  // over a hole
      }
      const double from = std::max(inside.begin, begin);
      const double to = std::min(inside.end, end);
      if (to > from) Add(row, Cover(from, to));
      begin = next;
    }
    return true;
  }

  /// How far t is before the first start, in steps from the second start to the first.
  double StepsBefore(double t) const { return last_ == 0 ? 0.0 : (t - Begin(0)) / (Begin(0) - Begin(1)); }

  /// Adds length * (x_rim + w * steps * (x_rim - x_inner)).
  void AddRim(std::size_t rim, std::size_t inner, double steps, double length = 1.0) {
    const double lean = last_ == 0 || HoldsOutside() ? 0.0 : (1.0 - options_.relaxation) * steps;
    Add(rim, length * (1.0 + lean));
    if (lean != 0.0) Add(inner, -length * lean);
  }

  void AddLeft(double from, double to) {
    double steps = 0.0;
    if (last_ > 0) {
      steps = times_.spans ? (End(0) + Begin(0) - to - from) / (End(1) - Begin(0)) : StepsBefore(0.5 * (from + to));
    }
    AddRim(0, 1, steps, Cover(from, to));
  }

  void AddRight(double from, double to) {
    if (last_ == 0) return AddRim(0, 0, 0.0, Cover(from, to));
    const std::size_t inner = last_ - 1;
    const double steps = times_.spans ? (from + to - End(last_) - End(inner)) / (End(last_) - Begin(inner))
                                      : (0.5 * (from + to) - Begin(last_)) / (Begin(last_) - Begin(inner));
    AddRim(last_, inner, steps, Cover(from, to));
  }

  /// Seconds between two times.
  static double Length(double from, double to) { return SecondsBetween(Stamp{from}, Stamp{to}); }

  /// Seconds of a piece of the question; counts them as covered.
  double Cover(double from, double to) {
    const double length = Length(from, to);
    covered_ += length;
    return length;
  }

  /// Turns weights from seconds into their final unit. A mean divides them by the seconds of all pieces, which are the
  /// question; a sum by the seconds of each row; an integral keeps its seconds.
  void Normalise() {
    for (RowWeight& term : owner_.weights_) {
      if (term.weight == 0.0) continue;
      switch (options_.method) {
        case TemporalMethod::Sum:
          term.weight /= Length(Begin(term.row), End(term.row));
          break;
        case TemporalMethod::Integral:
          break;
        default:
          term.weight /= covered_;
      }
    }
  }

  TemporalWeights& owner_;
  const TemporalOptions& options_;
  const TimesView& times_;
  std::size_t last_;
  std::size_t hint_;
  std::size_t first_open_ = 0;
  double covered_ = 0.0;  // seconds of the question that have weights
  Interval domain_{};
};

TemporalWeights::TemporalWeights(TemporalOptions options) : options_(options) {
  if (!(options_.relaxation >= 0.0 && options_.relaxation <= 1.0)) {
    throw ArgumentError({}, fmt::format("expected a relaxation factor from 0 to 1, found {}", options_.relaxation),
                        "use 1 to hold the nearest value, 0 to extrapolate linearly");
  }
  if (!(options_.tolerance >= 0.0 && std::isfinite(options_.tolerance))) {
    throw ArgumentError(
        {}, fmt::format("expected a tolerance for equal times of 0 days or more, found {}", options_.tolerance));
  }
}

TemporalAnswer TemporalWeights::Answer(const TimesView& times, Interval question) {
  if (!std::isfinite(question.begin) || !std::isfinite(question.end) || question.end < question.begin) {
    throw ArgumentError({}, fmt::format("expected a time with begin <= end, both finite, found {} to {} (MJD)",
                                        question.begin, question.end));
  }
  const char* needs_span = options_.method == TemporalMethod::Mean       ? "mean"
                           : options_.method == TemporalMethod::Sum      ? "sum"
                           : options_.method == TemporalMethod::Integral ? "integral"
                                                                         : nullptr;
  if (needs_span != nullptr && question.begin == question.end) {
    throw ArgumentError(
        {}, fmt::format("expected a span to take the {} over, found the stamp {} (MJD)", needs_span, question.begin),
        "ask for a span, or use a linear, previous or nearest adaptor for stamps");
  }
  if (times.count == 0) {
    if (options_.outside == OutsidePolicy::Throw) {
      throw RangeError({},
                       fmt::format("expected a history with at least one row, found none for {} to {} (MJD)",
                                   question.begin, question.end),
                       "let the provider compute a first step, or give it an initial value");
    }
    weights_.clear();
    return {.weights = weights_, .missing = true, .extrapolated = true};
  }
  return Solver(*this, times).Solve(question);
}

void ApplyAnswer(const TemporalAnswer& answer, RowReader rows, std::span<double> out, double missing) {
  if (answer.missing) return std::fill(out.begin(), out.end(), missing);
  SumRows(answer.weights, rows, out, missing);
}

}  // namespace openmi
