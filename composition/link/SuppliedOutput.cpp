#include "composition/link/SuppliedOutput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

SuppliedOutput::SuppliedOutput(const ITimeSpaceInput& input, SuppliedBetween between)
    : OutputOf(input.Id(), HostCopyOf(input.ValueDefinition()), nullptr),
      between_(between),
      missing_(input.ValueDefinition().MissingDataValue().Number().value_or(kNotANumber)),
      times_(shown_, input.TimeSet() != nullptr && input.TimeSet()->HasDurations()),
      values_(shown_, input.ValueDefinition().ValueType().kind),
      answers_(input.ValueDefinition().ValueType().kind) {
  RequireNumbers(input.ValueDefinition(), {.item = input.Id()}, "link it to a component that gives such values");
  if (input.SpatialDefinition() != nullptr) where_ = HostCopyOf(*input.SpatialDefinition());
}

void SuppliedOutput::Supply(Stamp begin, Days duration, std::span<const double> row) {
  if (row.size() != ElementCount()) {
    throw RangeError({.item = Id()}, fmt::format("expected {} values, found {}", ElementCount(), row.size()),
                     "give one value for each element of the input");
  }
  if (!std::isfinite(begin.mjd) || !std::isfinite(duration.count) || duration.count < 0.0) {
    throw RangeError({.item = Id()},
                     fmt::format("expected a finite time and a duration of at least 0 days, found {} and {}", begin.mjd,
                                 duration.count));
  }
  if (between_ == SuppliedBetween::Linear && duration.count > 0.0) {
    throw RangeError({.item = Id()},
                     "expected a value at an instant, as linear interpolation needs, found one over a span",
                     "supply values at instants, or choose that the previous value holds");
  }
  if (!rows_.Empty() && Before(begin + duration, rows_.LatestEnd())) {
    throw RangeError({.item = Id()},
                     fmt::format("expected values that follow those until {}, found some until {}",
                                 FormatIsoTime(rows_.LatestEnd()), FormatIsoTime(begin + duration)),
                     "supply values in the order of their times");
  }
  if (rows_.IsFull()) rows_.TrimBefore(demand_.EarliestNeeded());
  rows_.Append(begin, duration, row);
}

void SuppliedOutput::RefuseUnknown(Stamp time) const {
  const bool is_linear = between_ == SuppliedBetween::Linear;
  throw RangeError({.item = Id()},
                   rows_.Empty() ? fmt::format("expected supplied values for {}, found none", FormatIsoTime(time))
                                 : fmt::format("expected supplied values {} {}, found them from {} to {}",
                                               is_linear ? "around" : "at or before", FormatIsoTime(time),
                                               FormatIsoTime(rows_.Begin(0)), FormatIsoTime(rows_.LatestEnd())),
                   is_linear ? "supply a value for the end of a step before the step is made"
                             : "supply a value before the run is begun");
}

std::size_t SuppliedOutput::HoldingAt(Stamp time) const {
  std::size_t row = rows_.LastEndingBy(time);
  if (row < rows_.Count() && SameTime(rows_.End(row), time)) return row;
  const std::size_t next = row == rows_.Count() ? 0 : row + 1;
  if (next < rows_.Count() && !Before(time, rows_.Begin(next))) return next;  // a span that contains `time`
  if (row == rows_.Count()) RefuseUnknown(time);
  return row;
}

void SuppliedOutput::AddWeighted(std::span<double> sum, std::size_t row, double weight) const {
  if (weight == 0.0) return;
  const std::span<const double> values = rows_.Row(row);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum[i] = IsMissing(values[i], missing_) || std::isnan(sum[i]) ? kNotANumber : sum[i] + weight * values[i];
  }
}

std::span<const double> SuppliedOutput::At(Stamp time, Answer& answer, std::size_t index) const {
  const std::size_t row = HoldingAt(time);
  if (between_ == SuppliedBetween::Previous || SameTime(rows_.End(row), time)) return rows_.Row(row);
  if (row + 1 == rows_.Count()) RefuseUnknown(time);
  const std::span<double> own = answer.OwnRow(index, ElementCount());
  const double part = (time - rows_.End(row)).count / (rows_.End(row + 1) - rows_.End(row)).count;
  std::ranges::fill(own, 0.0);
  AddWeighted(own, row, 1.0 - part);
  AddWeighted(own, row + 1, part);
  for (double& value : own) value = std::isnan(value) ? missing_ : value;
  return own;
}

std::span<const double> SuppliedOutput::Mean(Stamp begin, Stamp end, Answer& answer, std::size_t index) const {
  const bool is_linear = between_ == SuppliedBetween::Linear;
  std::size_t row = 0;  // the last one that starts at or before `begin`
  while (row + 1 < rows_.Count() && !Before(begin, rows_.Begin(row + 1))) ++row;
  if (rows_.Empty() || Before(begin, rows_.Begin(row))) RefuseUnknown(begin);
  const bool is_alone = row + 1 == rows_.Count() || !Before(rows_.Begin(row + 1), end);
  if (!is_linear && is_alone) return rows_.Row(row);
  const std::span<double> own = answer.OwnRow(index, ElementCount());
  std::ranges::fill(own, 0.0);
  const double length = (end - begin).count;
  for (Stamp from = begin; Before(from, end); ++row) {
    const bool is_last = row + 1 == rows_.Count();
    if (is_last && is_linear) RefuseUnknown(end);
    const Stamp to = is_last ? end : std::min(end, rows_.Begin(row + 1));
    const double share = (to - from).count / length;
    double part = 0.0;  // of the next row: for a line, the value in the middle
    if (is_linear) {
      const double whole = (rows_.Begin(row + 1) - rows_.Begin(row)).count;
      part = ((from - rows_.Begin(row)).count + (to - rows_.Begin(row)).count) / (2.0 * whole);
      AddWeighted(own, row + 1, share * part);
    }
    AddWeighted(own, row, share * (1.0 - part));
    from = to;
  }
  for (double& value : own) value = std::isnan(value) ? missing_ : value;
  return own;
}

const ITimeSpaceValueSet& SuppliedOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  Answer& answer = answers_.For(query_specifier);
  const AnswerCache::Question question(query_specifier, answer);
  const auto row_of = [&](const AskedTime& time, std::size_t index) {
    return time.IsSpan() ? Mean(time.begin, time.End(), answer, index) : At(time.begin, answer, index);
  };
  if (question.times.size() == 1) {
    answer.view.SetSingle(row_of(question.times[0], 0));
    return answer.view;
  }
  if (question.times.empty()) {  // the present values
    if (rows_.Empty()) RefuseUnknown(kFarFuture);
    answer.view.SetSingle(rows_.Row(rows_.LastIndex()));
    return answer.view;
  }
  answer.view.Clear();
  for (std::size_t i = 0; i < question.times.size(); ++i) answer.view.Add(row_of(question.times[i], i));
  return answer.view;
}

void SuppliedOutput::SaveState(StateWriter& writer) const {
  WriteRows(writer, rows_);
}

void SuppliedOutput::LoadState(StateReader& reader) {
  ReplaceRows(rows_, ReadRows(reader, ElementCount()));
}

void SuppliedOutput::OnConsumerAdded(IBaseInput& consumer) {
  answers_.Register(consumer);
  demand_.Add(consumer);
}

void SuppliedOutput::OnConsumerRemoved(IBaseInput& consumer) {
  answers_.Unregister(consumer);
  demand_.Remove(consumer);
}

}  // namespace openmi
