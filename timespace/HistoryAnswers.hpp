#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/Few.hpp"
#include "openmi/sdk/StackGuard.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// One asked time, in UTC.
struct AskedTime {
  Stamp begin{};
  Days duration{};  ///< 0 for a stamp
  bool IsSpan() const { return duration.count > 0.0; }
  Stamp End() const { return begin + duration; }
};

/// The answers of one output, one for each consumer, so that no answer spoils another.
///
/// A registered consumer keeps its answer until it asks again; all other queries share one.
class AnswerBook {
 public:
  /// One consumer's answer: the view handed out, and rows of its own for what has to be computed.
  struct Answer {
    explicit Answer(ValueKind kind) : view(kind) {}

    const IBaseExchangeItem* query = nullptr;  ///< null: whoever is not registered
    Few<AskedTime> times;
    RowsView view;

    /// The row of its own for the asked time `index`, of `width` values.
    std::span<double> OwnRow(std::size_t index, std::size_t width) {
      if (index == 0 && row.size() == width) return row;
      return MakeRow(index, width);
    }

   private:
    friend class AnswerBook;
    std::span<double> MakeRow(std::size_t index, std::size_t width);

    const TimeSet* asked = nullptr;  // where a consumer of the SDK says what it asks for; null: its TimeSet()
    std::vector<double> row;
    std::vector<std::vector<double>> more_rows;  // from the second on
    CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space;
  };

  explicit AnswerBook(ValueKind kind = ValueKind::Double) : kind_(kind) {}

  void Register(const IBaseInput& consumer);
  void Unregister(const IBaseInput& consumer);

  /// The answer that belongs to `query`, with the asked times read into it (UTC); empty for a query without a time set
  /// or with an empty one.
  Answer& For(const IBaseExchangeItem& query) {
    Answer& answer = only_ != nullptr && only_->query == &query ? *only_ : Find(query);
    const TimeSet* asked = answer.asked;
    if (asked == nullptr || asked->OwnTimes().size() != 1 || asked->OffsetFromUtcInHours() != 0.0) {
      ReadTimes(query, answer);
    } else {
      const Time& time = asked->OwnTimes().front();
      answer.times.SetOnly({time.Begin(), time.Duration()});
    }
    return answer;
  }

 private:
  Answer& Find(const IBaseExchangeItem& query);
  static void ReadTimes(const IBaseExchangeItem& query, Answer& answer);

  ValueKind kind_;
  Answer* only_ = nullptr;                           // the registered one, if there is just one
  std::vector<std::unique_ptr<Answer>> registered_;  // by the address of the query
  std::unique_ptr<Answer> other_;                    // made when first needed
};

namespace detail {
/// AnswerFromHistory for all questions but one for the newest row.
/// \param answer    with the times asked for
/// \param advanced  what came of letting `source` advance to the only time; null: nobody asked it yet
const ITimeSpaceValueSet& AnswerFromRows(const IBaseExchangeItem& self, IHistoryProvider& source,
                                         const RowHistory& history, AnswerBook& answers, AnswerBook::Answer& answer,
                                         const IBaseExchangeItem& query, const Advance* advanced);
}  // namespace detail

/// Answers questions from a history without copying a row: for plain outputs and stand-ins.
///
/// A stamp is answered by the row at that stamp, a span by the row over that span, within the tolerance. When the
/// provider is busy (a loop of links) the newest row there is answers.
/// \param self     for messages
/// \param source   an IHistoryProvider whose history answers
/// \param history  of `source`
/// \throws LinkError   no row fits the question: names the adaptor that would help
/// \throws RangeError  beyond what the component computes
template <class Source>
const ITimeSpaceValueSet& AnswerFromHistory(const IBaseExchangeItem& self, Source& source, const RowHistory& history,
                                            AnswerBook& answers, const IBaseExchangeItem& query) {
  AnswerBook::Answer& answer = answers.For(query);
  if (answer.times.size() != 1) {
    return detail::AnswerFromRows(self, source, history, answers, answer, query, nullptr);
  }
  const Stamp end = answer.times.front().End();
  Advance advance = Advance::Reached;
  const bool is_later = Before(history.LatestEnd(), end);
  if (is_later) {
    GuardStack();
    advance = source.AdvanceTo(end);
    // In a loop of links somebody else may have asked meanwhile, and unregistered items share one answer.
    if (answer.query == nullptr) answers.For(query);
  }
  // Mostly the newest row is asked for.
  if (!history.Empty() && SameTime(history.LatestEnd(), end) && answer.times.size() == 1 &&
      SameTime(history.LastBegin(), answer.times.front().begin)) {
    answer.view.SetSingle(history.LastRow());
    return answer.view;
  }
  return detail::AnswerFromRows(self, source, history, answers, answer, query, is_later ? &advance : nullptr);
}

/// Lets `component` update until `history` holds a row that ends at `time` or later: the loop every provider runs.
Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time);
/// \param after_update  called after each update, for providers that have to fetch the new rows
Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                          const std::function<void()>& after_update);

}  // namespace openmi
