#include "adaptors/time/Resample.hpp"

#include <fmt/format.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

Resample::Resample(const std::string& id, IBaseOutput& adaptee) : DerivedSeries(id, adaptee) {
  step_text_ = ArgumentItems().AddPlain(
      "step",
      {.caption = "length of the steps", .description = "ISO 8601 duration, or 1 h; at least 1 ms", .value = "P1D"});
  origin_text_ = ArgumentItems().AddPlain("origin", {.caption = "a time at which a step starts",
                                                     .description = "ISO 8601, UTC if it has no zone; empty: midnight",
                                                     .value = ""});
  static constexpr EnumNames<As> kNames{"mean", "sum", "minimum", "maximum", "instant"};
  as_ = AddArgument<As>("as", {.caption = "value of a step",
                               .description = "computed over the step, or the value at its end (instant)",
                               .value = As::Mean,
                               .names = kNames});
}

Stamp Resample::Origin() const {
  const std::string text = origin_text_.Value();
  if (text.empty()) return Stamp{0.0};
  try {
    return ParseIsoTime(text, 0.0);
  } catch (const Error& error) {
    throw ArgumentError(Place(), "argument 'origin': " + error.Problem(), error.Remedy());
  }
}

void Resample::Check() {
  static_cast<void>(DurationOf(Place(), step_text_, Seconds(1e-3)));
  static_cast<void>(Origin());
}

void Resample::OnInitialize() {
  DerivedSeries::OnInitialize();
  step_ = DurationOf(Place(), step_text_, Seconds(1e-3));
  origin_ = Origin();
  const As as = as_.Value();
  instants_ = as == As::Instant;
  TemporalOptions options{.outside = OutsidePolicy::Missing};
  options.method = as == As::Sum ? TemporalMethod::Sum : instants_ ? TemporalMethod::Linear : TemporalMethod::Mean;
  options.amounts_at_end = true;
  weights_ = std::make_unique<TemporalWeights>(options);
  if (as == As::Minimum) extremes_ = std::make_unique<TemporalCurve>(CurveMethod::Minimum, options);
  if (as == As::Maximum) extremes_ = std::make_unique<TemporalCurve>(CurveMethod::Maximum, options);
}

void Resample::SaveState(StateWriter& writer) const {
  DerivedSeries::SaveState(writer);
  writer.Write(started_);
  writer.Write(next_step_);
}

void Resample::LoadState(StateReader& reader) {
  DerivedSeries::LoadState(reader);
  started_ = reader.ReadBool();
  next_step_ = reader.ReadDouble();
}

void Resample::TakeBack(Stamp) {
  // Found again from the rows made, or from the next row.
  started_ = false;
}

Stamp Resample::SourceNeeded() const {
  return started_ ? EdgeAt(next_step_) : kFarFuture;
}

double Resample::IndexOf(Stamp time) const {
  return std::ceil((time - origin_).count / step_.count - kTimeTolerance.count / step_.count);
}

bool Resample::HasEdgeAt(Stamp time) const {
  const Days step = DurationOf(Place(), step_text_, Seconds(1e-3));
  const Stamp origin = Origin();
  return SameTime(origin + step * std::round((time - origin) / step), time);
}

void Resample::MakeRow(const RowHistory& source, RowHistory& made, Stamp begin, Stamp end) {
  const auto time_of = [&source](std::size_t row) {
    const double first = source.Begin(row).mjd;
    return Interval{first, first + source.Duration(row).count};
  };
  const TimesView times{time_of, source.Count(), source.Duration(source.LastIndex()).count > 0.0};
  const auto row_of = [&source](std::size_t row) { return source.Row(row); };
  const Interval question{instants_ ? end.mjd : begin.mjd, end.mjd};
  const std::span<double> out = made.NextRow(source.Row(source.LastIndex()).size());
  if (extremes_) {
    extremes_->Answer(times, row_of, question, out, MissingValue());
  } else {
    ApplyAnswer(weights_->Answer(times, question), row_of, out, MissingValue());
  }
  made.Commit(instants_ ? end : begin, instants_ ? Days{} : end - begin);
}

void Resample::MakeRows(const RowHistory& source, RowHistory& made, bool ended) {
  if (source.Empty()) return;
  if (!started_) {
    const Stamp first = made.Empty() ? source.Begin(0) : made.LatestEnd();
    next_step_ = IndexOf(first);
    const bool is_cut = !made.Empty() && Before(first, EdgeAt(next_step_));  // the last row made ends within its step
    if (is_cut || (made.Empty() && instants_)) next_step_ -= 1.0;            // an instant needs no time before it
    started_ = true;
  }
  const auto begin_of_next = [&] {  // later than its edge if the adaptee seemed to end within the step
    const Stamp edge = EdgeAt(next_step_);
    return Before(edge, made.LatestEnd()) ? made.LatestEnd() : edge;
  };
  for (; !Before(source.LatestEnd(), EdgeAt(next_step_ + 1.0)); next_step_ += 1.0) {
    MakeRow(source, made, begin_of_next(), EdgeAt(next_step_ + 1.0));
  }
  if (ended && Before(begin_of_next(), source.LatestEnd())) MakeRow(source, made, begin_of_next(), source.LatestEnd());
  Took(source, source.LastIndex());
}

}  // namespace openmi
