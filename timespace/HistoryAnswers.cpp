#include "timespace/HistoryAnswers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/StackGuard.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {
namespace {

Where PlaceOf(const IBaseExchangeItem& item) {
  return {.component = item.Component() ? item.Component()->Caption() : std::string(), .item = item.Id()};
}

std::string Text(const AskedTime& time) {
  return time.IsSpan() ? fmt::format("{} to {}", FormatIsoTime(time.begin.mjd), FormatIsoTime(time.End().mjd))
                       : FormatIsoTime(time.begin.mjd);
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
    throw RangeError(
        PlaceOf(self),
        fmt::format("expected a time until {}, found that {}", FormatIsoTime(history.LatestEnd().mjd), who),
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
                     fmt::format("expected a time from {}, found that {}", FormatIsoTime(history.Begin(0).mjd), who),
                     "earlier rows are gone, or were never computed");
  }
  throw LinkError(PlaceOf(self), fmt::format("expected one of the times this output has, found that {}", who),
                  asked.IsSpan() ? "put the adaptor 'mean-over-span' or 'sum-over-span' on the link"
                                 : "put the adaptor 'linear' or 'previous' on the link");
}

}  // namespace

std::span<double> AnswerBook::Answer::OwnRow(std::size_t index, std::size_t width) {
  if (rows.size() <= index) rows.resize(index + 1);
  if (rows[index].size() != width) rows[index].resize(width);
  return rows[index];
}

AnswerBook::AnswerBook(ValueKind kind) : kind_(kind), other_(std::make_unique<Answer>()) {
  other_->view = RowsView(kind);
}

void AnswerBook::Register(const IBaseExchangeItem& consumer) {
  auto answer = std::make_unique<Answer>();
  answer->query = &consumer;
  answer->view = RowsView(kind_);
  registered_[&consumer] = std::move(answer);
}

void AnswerBook::Unregister(const IBaseExchangeItem& consumer) {
  last_.store(nullptr, std::memory_order_relaxed);
  registered_.erase(&consumer);
}

AnswerBook::Answer& AnswerBook::For(const IBaseExchangeItem& query) {
  Answer* answer = last_.load(std::memory_order_relaxed);
  if (answer != nullptr && answer->query != &query) answer = nullptr;
  if (answer == nullptr) {
    const auto found = registered_.find(&query);
    if (found == registered_.end()) {
      answer = other_.get();
    } else {
      answer = found->second.get();
      last_.store(answer, std::memory_order_relaxed);
    }
  }
  answer->times.clear();
  const ITimeSpaceExchangeItem* item = answer->as_time_space(query);
  const ITimeSet* time_set = item != nullptr ? item->TimeSet() : nullptr;
  if (time_set == nullptr) return *answer;
  const double offset_hours = time_set->OffsetFromUtcInHours();
  const double offset_days = offset_hours == 0.0 ? 0.0 : offset_hours / 24.0;
  for (const ITime* time : time_set->Times()) {
    answer->times.push_back({Stamp{time->StampAsModifiedJulianDay() - offset_days}, Days{time->DurationInDays()}});
  }
  return *answer;
}

const ITimeSpaceValueSet& AnswerFromHistory(const IBaseExchangeItem& self, IHistoryProvider& source,
                                            AnswerBook& answers, const IBaseExchangeItem& query) {
  GuardStack();
  const RowHistory& history = *source.UseHistory();
  AnswerBook::Answer& answer = answers.For(query);
  if (answer.times.empty()) {  // no time in the question: what there is now
    answer.view.Clear();
    if (!history.Empty()) answer.view.Add(history.Row(history.LastIndex()));
    return answer.view;
  }
  const bool single = answer.times.size() == 1;
  // Nobody keeps rows for an item that is not registered: of several, each is copied before time goes on.
  const bool copies = !single && answer.query == nullptr;
  Advance advance = source.AdvanceTo(copies ? answer.times.front().End() : answer.times.back().End());
  // In a loop of links somebody else may have asked meanwhile, and unregistered items share one answer.
  if (answer.query == nullptr) answers.For(query);
  if (!single) answer.view.Clear();
  for (std::size_t i = 0; i < answer.times.size(); ++i) {
    if (copies && i > 0) {
      advance = source.AdvanceTo(answer.times[i].End());
      answers.For(query);
    }
    const AskedTime asked = answer.times[i];
    const std::size_t row = history.LastEndingBy(asked.End());
    const bool fits =
        row < history.Count() && SameTime(history.End(row), asked.End()) && SameTime(history.Begin(row), asked.begin);
    std::span<const double> values;
    if (fits) {
      values = history.Row(row);
    } else if (history.IsTimeless() && !history.Empty()) {
      values = history.Row(history.LastIndex());
    } else if (advance == Advance::Busy && !history.Empty() && Before(history.LatestEnd(), asked.End())) {
      values = history.Row(history.LastIndex());
    } else if (advance == Advance::Held && !history.Empty()) {
      values = history.Row(row < history.Count() ? row : history.LastIndex());
    } else {
      ThrowNoRow(self, history, asked, query, advance);
    }
    if (copies) {
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

Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                          const std::function<void()>& after_update) {
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
    if (after_update) after_update();
    if (component->Status() == LinkableComponentStatus::WaitingForData) return Advance::Busy;
    if (history.LatestEnd() == before && component->Status() == LinkableComponentStatus::Updated) {
      throw ModelError({.component = component->Caption()},
                       fmt::format("expected time to go on at an update, found it still at {}",
                                   before == kFarPast ? "no time" : FormatIsoTime(before.mjd)),
                       "let the component advance, or end Done");
    }
  }
  return Advance::Reached;
}

}  // namespace openmi
