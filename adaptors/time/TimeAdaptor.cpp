#include "adaptors/time/TimeAdaptor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "adaptors/base/DerivedQuantity.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

bool NeedsSpans(TemporalMethod method, std::optional<CurveMethod> curve) {
  if (curve) return *curve != CurveMethod::Cubic;
  return method == TemporalMethod::Mean || method == TemporalMethod::Sum || method == TemporalMethod::Integral;
}

TimesView TimesOf(const RowHistory& history, FunctionView<Interval(std::size_t)> at) {
  return {at, history.Count(), !history.Empty() && history.Duration(history.LastIndex()).count > 0.0};
}

Interval TimeOf(const RowHistory& history, std::size_t row) {
  const double begin = history.Begin(row).mjd;
  return {begin, begin + history.Duration(row).count};
}

}  // namespace

TimeAdaptor::TimeAdaptor(const std::string& id, IBaseOutput& adaptee, TemporalMethod method)
    : TimeAdaptor(id, adaptee, method, std::nullopt) {}

TimeAdaptor::TimeAdaptor(const std::string& id, IBaseOutput& adaptee, CurveMethod method)
    : TimeAdaptor(id, adaptee, TemporalMethod::Linear, method) {}

TimeAdaptor::TimeAdaptor(const std::string& id, IBaseOutput& adaptee, TemporalMethod method,
                         std::optional<CurveMethod> curve)
    : AdaptedOutput(id, adaptee,
                    method == TemporalMethod::Integral ? DerivedQuantity(id, adaptee, {{DimensionBase::Time, 1.0}}, "s")
                                                       : nullptr),
      method_(method),
      curve_method_(curve),
      over_spans_(NeedsSpans(method, curve)) {
  static constexpr EnumNames<Outside> kExtrapolations{"error", "missing", "hold", "linear", "relaxed"};
  extrapolation_ = AddArgument<Outside>(
      "extrapolation", {.caption = "answer outside the times of the rows",
                        .description = "error: stop; missing: no value; hold: the nearest value; linear: a straight "
                                       "line; relaxed: between hold and linear, by the relaxation factor",
                        .value = Outside::Error,
                        .names = kExtrapolations});
  relaxation_ = AddArgument<double>(
      "relaxation", {.caption = "relaxation factor",
                     .description = "for 'relaxed', and for questions that come back along a loop of links: 1 holds "
                                    "the nearest value, 0 extrapolates linearly",
                     .unit = "1",
                     .value = 1.0,
                     .minimum = 0.0,
                     .maximum = 1.0});
  if (AdapteeProvider() == nullptr || AdapteeProvider()->UseHistory() == nullptr) {
    throw LinkError(
        Place(),
        fmt::format("expected an output whose rows can be read, found '{}', which has no readable rows", adaptee.Id()),
        AdapteeProvider() == nullptr
            ? "link it to an input that asks for the instants or spans that it answers for; no adaptor in time fits "
              "after an adaptor of a component"
            : "remove one of the two time adaptors: one is enough for instants or spans; or put 'resample' between "
              "them");
  }
}

bool TimeAdaptor::MakesTotals() const {
  if (curve_method_) return *curve_method_ == CurveMethod::Disaggregate;
  return method_ == TemporalMethod::Sum || method_ == TemporalMethod::Integral;
}

EffectOnAmount TimeAdaptor::StateEffect() const {
  if (curve_method_ == CurveMethod::Minimum) return EffectOnAmount::Unknown("gives the least value of a span");
  if (curve_method_ == CurveMethod::Maximum) return EffectOnAmount::Unknown("gives the greatest value of a span");
  return {.has_amounts_of_spans = MakesTotals()};
}

const RowHistory* TimeAdaptor::UseHistory() {
  return ShowsRows() ? AdapteeProvider()->UseHistory() : nullptr;
}

TimeAdaptor::Ways TimeAdaptor::MakeWays(OutsidePolicy outside, double relaxation) const {
  TemporalOptions options{.method = method_, .outside = outside, .relaxation = relaxation};
  options.amounts_at_end = method_ == TemporalMethod::Sum;  // a step is (from, to]: it includes its end
  Ways ways{std::make_unique<TemporalWeights>(options), nullptr};
  if (curve_method_) ways.curve = std::make_unique<TemporalCurve>(*curve_method_, options);
  return ways;
}

void TimeAdaptor::OnInitialize() {
  history_ = AdapteeProvider()->UseHistory();
  const Outside outside = extrapolation_.Value();
  const double relaxation = outside == Outside::Hold ? 1.0 : outside == Outside::Linear ? 0.0 : relaxation_.Value();
  ways_ = MakeWays(outside == Outside::Error     ? OutsidePolicy::Throw
                   : outside == Outside::Missing ? OutsidePolicy::Missing
                                                 : OutsidePolicy::Extrapolate,
                   relaxation);
  busy_ways_ = MakeWays(OutsidePolicy::Extrapolate, relaxation_.Value());
  two_rows_back_ = relaxation < 1.0 || relaxation_.Value() < 1.0;
  const bool holds =
      method_ == TemporalMethod::Previous || method_ == TemporalMethod::Next || method_ == TemporalMethod::Nearest;
  leans_ = (outside == Outside::Linear || outside == Outside::Relaxed) && relaxation < 1.0 && !holds;
  missing_ = ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

Stamp TimeAdaptor::NeededFor(Stamp time) const {
  const Stamp there = time - delay_;
  if (history_ == nullptr) return there;
  const RowHistory& history = Rows();
  Stamp needed = there;
  // The slopes of a curve need one row more before that.
  if (curve_method_ && !history.Empty()) {
    const std::size_t before = history.LastEndingBy(there);
    if (before < history.Count()) needed = history.End(before > 0 ? before - 1 : 0);
  }
  if (two_rows_back_ && history.Count() >= 2) needed = std::min(needed, history.End(history.Count() - 2));
  return needed;
}

Stamp TimeAdaptor::ReachFor(Stamp time, Days step) const {
  const bool looks_ahead = curve_method_ == CurveMethod::Cubic || curve_method_ == CurveMethod::Disaggregate;
  return looks_ahead ? time + step - delay_ : time - delay_;
}

void TimeAdaptor::BlendAt(const RowHistory& rows, std::size_t row, Stamp time, std::span<double> out) const {
  const Stamp before = rows.Begin(row);
  BlendRows(rows.Row(row), rows.Row(row + 1), (time - before).count / (rows.Begin(row + 1) - before).count, out,
            missing_);
}

std::span<const double> TimeAdaptor::BlendNeighbours(const RowHistory& history, const AskedTime& asked,
                                                     std::size_t index, Answer& answer) const {
  if (method_ != TemporalMethod::Linear || curve_method_ || asked.IsSpan()) return {};
  const Stamp time = asked.begin - delay_;
  const std::size_t row = history.LastEndingBy(time);
  if (row + 1 >= history.Count() || history.Duration(row).count > 0.0 || history.Duration(row + 1).count > 0.0)
    return {};
  if (SameTime(history.Begin(row), time)) return {};
  const std::size_t width = history.Row(row).size();
  if (width != history.Row(row + 1).size()) return {};
  const std::span<double> own = answer.OwnRow(index, width);
  BlendAt(history, row, time, own);
  return own;
}

bool TimeAdaptor::WantsNextRow(const Question& question) const {
  const RowHistory& history = Rows();
  if (history.Empty()) return false;
  const auto time_of = [&history](std::size_t row) { return TimeOf(history, row); };
  const TimesView times = TimesOf(history, time_of);
  return std::ranges::any_of(question.times, [&](const AskedTime& asked) {
    const double begin = (asked.begin - delay_).mjd;
    if (leans_ && history.Count() == 1 && Before(Stamp{begin}, history.Begin(0))) return true;
    return ways_.curve && ways_.curve->WantsNextRow(times, {begin, begin + asked.duration.count});
  });
}

const ITimeSpaceValueSet& TimeAdaptor::Compute(const Question& question, Answer& answer) {
  const RowHistory& history = Rows();
  if (question.times.empty()) {
    answer.view.Clear();
    if (!history.Empty()) answer.view.Add(history.LastRow());
    return answer.view;
  }
  const Stamp wanted = question.times.back().End() - delay_;
  Advance advance = Advance::Reached;
  if (Before(history.LatestEnd(), wanted)) advance = Reach(wanted);
  if ((ways_.curve || leans_) && advance == Advance::Reached && WantsNextRow(question)) {
    static_cast<void>(Reach(history.LatestEnd() + kTimeTolerance * 4.0));
  }
  Ways& ways = advance == Advance::Busy ? busy_ways_ : ways_;
  const bool is_single = question.times.size() == 1;
  if (!is_single) answer.view.Clear();
  for (std::size_t i = 0; i < question.times.size(); ++i) {
    try {
      const std::span<const double> row = AnswerTime(history, ways, question.times[i], i, answer);
      is_single ? answer.view.SetSingle(row) : answer.view.Add(row);
    } catch (const Error& error) {
      if (!error.Place().item.empty()) throw;
      throw RangeError(Place(), error.Problem(),
                       error.Remedy().empty() ? "set the argument extrapolation" : error.Remedy());
    }
  }
  return answer.view;
}

std::span<const double> TimeAdaptor::AnswerTime(const RowHistory& history, Ways& ways, const AskedTime& asked,
                                                std::size_t index, Answer& answer) {
  const auto time_of = [&history](std::size_t row) { return TimeOf(history, row); };
  const TimesView times = TimesOf(history, time_of);
  const auto row_of = [&history](std::size_t row) { return history.Row(row); };
  const double begin = (asked.begin - delay_).mjd;
  const Interval question{begin, begin + asked.duration.count};
  const std::span<const double> blend = BlendNeighbours(history, asked, index, answer);
  if (!blend.empty()) return blend;
  const auto own_row = [&] {
    const std::size_t width =
        history.Empty() ? static_cast<std::size_t>(SpatialDefinition() ? SpatialDefinition()->ElementCount() : 1)
                        : history.Row(history.LastIndex()).size();
    return answer.OwnRow(index, width);
  };
  if (ways.curve) {
    const std::span<double> own = own_row();
    ways.curve->Answer(times, row_of, question, own, missing_);
    return own;
  }
  const TemporalAnswer found = ways.weights->Answer(times, question);
  if (!found.missing && found.weights.size() == 1 && found.weights[0].weight == 1.0) {
    return history.Row(found.weights[0].row);
  }
  const std::span<double> own = own_row();
  ApplyAnswer(found, row_of, own, missing_);
  return own;
}

Days DurationOf(const Where& place, const Argument<std::string>& argument, Days least) {
  Days span;
  try {
    span = ParseIsoDuration(argument.Value());
  } catch (const Error& error) {
    throw ArgumentError(place, fmt::format("argument '{}': {}", argument.Item().Id(), error.Problem()), error.Remedy());
  }
  if (!(span >= least)) {
    throw ArgumentError(place,
                        fmt::format("argument '{}': expected a duration of at least {}, found '{}'",
                                    argument.Item().Id(), FormatIsoDuration(least), argument.Value()),
                        "write it like PT15M, P1D or '6 h'");
  }
  return span;
}

Delay::Delay(const std::string& id, IBaseOutput& adaptee) : TimeAdaptor(id, adaptee, TemporalMethod::Linear) {
  length_ = ArgumentItems().AddPlain("delay", {.caption = "length of the delay",
                                               .description = "ISO 8601 duration, or a number with a unit: PT6H, 6 h",
                                               .value = "PT0S"});
}

Days Delay::Length() const {
  return DurationOf(Place(), length_, Days{});
}

Advance Delay::AdvanceTo(Stamp time) {
  return AdapteeProvider()->AdvanceTo(time - Length());
}

void Delay::OnInitialize() {
  TimeAdaptor::OnInitialize();
  SetDelay(Length());
}

}  // namespace openmi
