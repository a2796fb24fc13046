#include "adaptors/TimeAdaptor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {

TimeAdaptor::TimeAdaptor(std::string id, IBaseOutput& adaptee, TemporalMethod method)
    : AdaptedOutput(std::move(id), adaptee),
      method_(method),
      over_spans_(method == TemporalMethod::Mean || method == TemporalMethod::Sum) {
  extrapolation_ = AddArgument<std::string>(
      "extrapolation",
      {.caption = "outside the times there are",
       .description = "error: stop; missing: no value; hold: the nearest value; linear: by the relaxation factor",
       .value = "error",
       .possible_values = {"error", "missing", "hold", "linear"}});
  relaxation_ = AddArgument<double>("relaxation", {.caption = "relaxation factor",
                                                   .description = "1 holds the nearest value, 0 extrapolates linearly",
                                                   .unit = "1",
                                                   .value = 1.0,
                                                   .minimum = 0.0,
                                                   .maximum = 1.0});
  if (AdapteeDoor() == nullptr || AdapteeDoor()->UseHistory() == nullptr) {
    throw LinkError(
        Place(), fmt::format("expected an adaptee whose rows can be read, found '{}' which shows none", adaptee.Id()),
        "leave one of the two time adaptors away: each answers instants or spans by itself");
  }
}

const RowHistory* TimeAdaptor::UseHistory() {
  return ShowsRows() ? AdapteeDoor()->UseHistory() : nullptr;
}

void TimeAdaptor::OnInitialize() {
  const std::string outside = extrapolation_.Value();
  TemporalOptions options{.method = method_};
  options.relaxation = outside == "hold" ? 1.0 : relaxation_.Value();
  options.outside = outside == "error"     ? OutsidePolicy::Throw
                    : outside == "missing" ? OutsidePolicy::Missing
                                           : OutsidePolicy::Extrapolate;
  options.amounts_at_end =
      method_ == TemporalMethod::Sum;  // a step is (from, to]: what is stamped at its end belongs to it
  weights_ = std::make_unique<TemporalWeights>(options);
  options.outside = OutsidePolicy::Extrapolate;
  options.relaxation = relaxation_.Value();
  busy_weights_ = std::make_unique<TemporalWeights>(options);
  two_rows_back_ = relaxation_.Value() < 1.0;
  missing_ = ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

Stamp TimeAdaptor::NeededFor(Stamp time) const {
  const RowHistory* history = AdapteeHistory();
  if (!two_rows_back_ || history == nullptr || history->Count() < 2) return time;
  return std::min(time, history->End(history->Count() - 2));
}

bool TimeAdaptor::BlendNeighbours(const RowHistory& history, Answer& answer) const {
  const AskedTime& asked = answer.times.front();
  if (method_ != TemporalMethod::Linear || asked.IsSpan()) return false;
  const Stamp time = asked.begin;
  const std::size_t row = history.LastEndingBy(time);
  if (row + 1 >= history.Count() || history.Duration(row).count > 0.0 || history.Duration(row + 1).count > 0.0)
    return false;
  const Stamp before = history.Begin(row);
  if (SameTime(before, time)) return false;
  const std::span<const double> earlier = history.Row(row);
  const std::span<const double> later = history.Row(row + 1);
  if (earlier.size() != later.size()) return false;
  const double weight = (time - before).count / (history.Begin(row + 1) - before).count;
  const std::span<double> own = answer.OwnRow(0, earlier.size());
  BlendRows(earlier, later, weight, own, missing_);
  answer.view.SetSingle(own);
  return true;
}

void TimeAdaptor::Compute(const IBaseExchangeItem& query, Answer& answer) {
  const RowHistory& history = *AdapteeHistory();
  if (answer.times.empty()) {
    answer.view.Clear();
    if (!history.Empty()) answer.view.Add(history.Row(history.LastIndex()));
    return;
  }
  const Stamp wanted = answer.times.back().End();
  Advance advance = Advance::Reached;
  if (Before(history.LatestEnd(), wanted)) {
    advance = AdapteeDoor()->AdvanceTo(wanted);
    RereadTimes(query, answer);
  }
  const bool single = answer.times.size() == 1;
  if (single && BlendNeighbours(history, answer)) return;
  TemporalWeights& weights = advance == Advance::Busy ? *busy_weights_ : *weights_;
  const auto time_of = [&history](std::size_t row) {
    const double begin = history.Begin(row).mjd;
    return Interval{begin, begin + history.Duration(row).count};
  };
  const bool spans = !history.Empty() && history.Duration(history.LastIndex()).count > 0.0;
  const TimesView times{time_of, history.Count(), spans};
  const auto row_of = [&history](std::size_t row) { return history.Row(row); };
  if (!single) answer.view.Clear();
  for (std::size_t i = 0; i < answer.times.size(); ++i) {
    const AskedTime& asked = answer.times[i];
    TemporalAnswer found;
    try {
      found = weights.Answer(times, {asked.begin.mjd, asked.begin.mjd + asked.duration.count});
    } catch (const Error& error) {
      if (!error.Place().item.empty()) throw;
      throw RangeError(Place(), error.Problem(),
                       error.Remedy().empty() ? "set the argument extrapolation" : error.Remedy());
    }
    std::span<const double> values;
    if (!found.missing && found.weights.size() == 1 && found.weights[0].weight == 1.0) {
      values = history.Row(found.weights[0].row);
    } else {
      const std::size_t width =
          history.Empty() ? static_cast<std::size_t>(SpatialDefinition() ? SpatialDefinition()->ElementCount() : 1)
                          : history.Row(history.LastIndex()).size();
      const std::span<double> own = answer.OwnRow(i, width);
      ApplyAnswer(found, row_of, own, missing_);
      values = own;
    }
    if (single) {
      answer.view.SetSingle(values);
    } else {
      answer.view.Add(values);
    }
  }
}

}  // namespace openmi
