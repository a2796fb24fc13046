#include "timespace/items/AnswerCache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

Where PlaceOf(const IBaseExchangeItem& item) {
  return {.component = item.Component() ? item.Component()->Caption() : std::string(), .item = item.Id()};
}

std::string Text(const AskedTime& time) {
  return time.IsSpan() ? fmt::format("{} to {}", FormatIsoTime(time.begin), FormatIsoTime(time.End()))
                       : FormatIsoTime(time.begin);
}

[[noreturn]] void ThrowNoRow(const IBaseExchangeItem& self, const RowHistory& history, const AskedTime& asked,
                             const IBaseExchangeItem& query, Advance advance) {
  const std::string who = fmt::format("'{}' asks for {}", query.Id(), Text(asked));
  if (history.Empty()) {
    throw RangeError(PlaceOf(self), fmt::format("expected values when {}, found none yet", who),
                     advance == Advance::Busy
                         ? "in a loop of links, let one output give instants, or publish a row in Start"
                         : "prepare the component before it is asked");
  }
  if (advance == Advance::Ended && Before(history.LatestEnd(), asked.End())) {
    throw RangeError(PlaceOf(self),
                     fmt::format("expected a time until {}, found that {}", FormatIsoTime(history.LatestEnd()), who),
                     "let the run end earlier, or put a time adaptor with an extrapolation on the link");
  }
  const bool rows_are_spans = history.Duration(history.LastIndex()).count > 0.0;
  if (rows_are_spans != asked.IsSpan()) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected a question for {}, found that {}", rows_are_spans ? "spans" : "stamps", who),
                    asked.IsSpan() ? "put the adaptor 'mean-over-span' on the link"
                                   : "put the adaptor 'previous' or 'linear' on the link");
  }
  if (Before(asked.begin, history.Begin(0))) {
    throw RangeError(PlaceOf(self),
                     fmt::format("expected a time from {}, found that {}", FormatIsoTime(history.Begin(0)), who),
                     "earlier rows are gone, or were never computed");
  }
  throw LinkError(PlaceOf(self), fmt::format("expected one of the times this output has, found that {}", who),
                  asked.IsSpan() ? "put the adaptor 'mean-over-span' or 'sum-over-span' on the link"
                                 : "put the adaptor 'linear' or 'previous' on the link");
}

/// Whether the row with this index (Count(): none) is at or over exactly the time asked for.
bool Answers(const RowHistory& history, std::size_t row, const AskedTime& asked) {
  return row < history.Count() && SameTime(history.End(row), asked.End()) && SameTime(history.Begin(row), asked.begin);
}

const IBaseExchangeItem* QueryOf(const std::unique_ptr<AnswerCache::Answer>& answer) {
  return answer->query;
}

template <class AfterUpdate>
Advance UpdateUntil(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                    const AfterUpdate& after_update) {
  while (Before(history.LatestEnd(), time)) {
    if (component == nullptr) return Advance::Ended;
    switch (component->Status()) {
      case LinkableComponentStatus::Updated:
      case LinkableComponentStatus::Valid:
        break;
      case LinkableComponentStatus::Updating:
      case LinkableComponentStatus::WaitingForData:
      case LinkableComponentStatus::Preparing:
        return Advance::Busy;
      default:
        return Advance::Ended;
    }
    const Stamp before = history.LatestEnd();
    component->Update({});
    after_update();
    if (!Before(history.LatestEnd(), time)) return Advance::Reached;
    const LinkableComponentStatus status = component->Status();
    if (status == LinkableComponentStatus::WaitingForData) return Advance::Busy;
    if (history.LatestEnd() == before && status == LinkableComponentStatus::Updated) {
      throw ModelError({.component = component->Caption()},
                       fmt::format("expected the time to advance in an update, found it still at {}",
                                   before == kFarPast ? "no time" : FormatIsoTime(before)),
                       "let the component advance, or end Done");
    }
  }
  return Advance::Reached;
}

}  // namespace

std::span<double> AnswerCache::Answer::MakeRow(std::size_t index, std::size_t width) {
  if (index > 0 && more_rows_.size() < index) more_rows_.resize(index);
  std::vector<double>& own = index == 0 ? row_ : more_rows_[index - 1];
  if (own.size() != width) own.resize(width);
  return own;
}

void AnswerCache::Register(const IBaseInput& consumer) {
  const IBaseExchangeItem* query = &consumer;
  auto answer = std::make_unique<Answer>(kind_);
  answer->query = query;
  const auto* demand = dynamic_cast<const IDemand*>(&consumer);
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(&consumer);
  if (demand != nullptr && item != nullptr) {
    const TimeSet* asked = demand->Source().AskedTimes();
    // A consumer that passes on demands may itself ask for other times.
    if (asked == item->TimeSet()) answer->asked_ = asked;
  }
  const auto place = std::ranges::lower_bound(registered_, query, std::less<>(), QueryOf);
  if (place != registered_.end() && (*place)->query == query) {
    *place = std::move(answer);
  } else {
    registered_.insert(place, std::move(answer));
  }
  only_ = registered_.size() == 1 ? registered_.front().get() : nullptr;
}

void AnswerCache::Unregister(const IBaseInput& consumer) {
  const IBaseExchangeItem* query = &consumer;
  const auto place = std::ranges::lower_bound(registered_, query, std::less<>(), QueryOf);
  if (place != registered_.end() && (*place)->query == query) registered_.erase(place);
  if (other_) other_->as_time_space_.Clear();  // the library of the consumer may be unloaded next
  only_ = registered_.size() == 1 ? registered_.front().get() : nullptr;
}

AnswerCache::Answer& AnswerCache::Find(const IBaseExchangeItem& query) {
  const auto place = std::ranges::lower_bound(registered_, &query, std::less<>(), QueryOf);
  if (place != registered_.end() && (*place)->query == &query) return **place;
  if (!other_) other_ = std::make_unique<Answer>(kind_);
  return *other_;
}

void AnswerCache::Question::ReadTimes() {
  const ITimeSpaceExchangeItem* item = answer_.as_time_space_(asker);
  const ITimeSet* time_set = item != nullptr ? item->TimeSet() : nullptr;
  if (time_set == nullptr) return;
  if (time_set->Times().size() > 1) times = std::move(answer_.several_times_);
  times.clear();
  const Days offset = Hours(time_set->OffsetFromUtcInHours());
  for (const ITime* time : time_set->Times()) {
    times.push_back({Stamp{time->StampAsModifiedJulianDay()} - offset, Days{time->DurationInDays()}});
  }
}

const ITimeSpaceValueSet& detail::AnswerFromRows(const IBaseExchangeItem& self, IHistoryProvider& source,
                                                 const RowHistory& history, const AnswerCache::Question& question,
                                                 AnswerCache::Answer& answer, const Advance* advanced) {
  const std::span<const AskedTime> times = question.times.Items();
  if (times.empty()) {  // the present values
    answer.view.Clear();
    if (!history.Empty()) answer.view.Add(history.Place(history.LastIndex()));
    return answer.view;
  }
  const bool single = times.size() == 1;
  if (single && advanced == nullptr) {  // the requested row may already exist
    const std::size_t row = history.LastEndingBy(times.front().End());
    if (Answers(history, row, times.front())) {
      answer.view.SetSingle(history.Place(row));
      return answer.view;
    }
  }
  if (advanced == nullptr) GuardStack();
  // No rows are kept for an unregistered item: with several times, each row is copied before time advances.
  const bool copies = !single && answer.query == nullptr;
  Advance advance =
      advanced != nullptr ? *advanced : source.AdvanceTo(copies ? times.front().End() : times.back().End());
  if (!single) answer.view.Clear();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const AskedTime& asked = times[i];
    if (copies && i > 0) advance = source.AdvanceTo(asked.End());
    const std::size_t row = history.LastEndingBy(asked.End());
    std::span<const double> values;
    if (Answers(history, row, asked)) {
      values = history.Place(row);
    } else if (history.IsTimeless() && !history.Empty()) {
      values = history.Place(history.LastIndex());
    } else if (advance == Advance::Busy && !history.Empty() && Before(history.LatestEnd(), asked.End())) {
      values = history.Place(history.LastIndex());
    } else if (advance == Advance::Held && !history.Empty()) {
      values = history.Place(row < history.Count() ? row : history.LastIndex());
    } else {
      ThrowNoRow(self, history, asked, question.asker, advance);
    }
    if (copies) {
      history.FetchRows();
      const std::span<double> own = answer.OwnRow(i, values.size());
      std::copy(values.begin(), values.end(), own.begin());
      values = own;
    }
    if (single) {
      answer.view.SetSingle(values);
    } else {
      answer.view.Add(values);
    }
  }
  return answer.view;
}

Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time) {
  return UpdateUntil(component, history, time, [] {});
}

Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                          const std::function<void()>& after_update) {
  return UpdateUntil(component, history, time, after_update);
}

}  // namespace openmi
