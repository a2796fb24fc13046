#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/Few.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/times/Stamp.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// One time of a query, in UTC.
struct AskedTime {
  Stamp begin{};
  Days duration{};  ///< 0 for a stamp
  bool IsSpan() const { return duration.count > 0.0; }
  Stamp End() const { return begin + duration; }
};

/// The answers of one output, one for each consumer, so that no answer overwrites another.
///
/// A registered consumer keeps its answer until it asks again. All other queries share one answer.
class AnswerCache {
 public:
  /// The answer for one consumer: the view that is returned, and rows for values that must be computed.
  struct Answer {
    explicit Answer(ValueKind kind) : view(kind) {}

    const IBaseExchangeItem* query = nullptr;  ///< null: shared by the queries that are not registered
    RowsView view;

    /// The row for the computed values at time `index`; shape [width].
    std::span<double> OwnRow(std::size_t index, std::size_t width) {
      if (index == 0 && row_.size() == width) return row_;
      return MakeRow(index, width);
    }

   private:
    friend class AnswerCache;
    std::span<double> MakeRow(std::size_t index, std::size_t width);

    const TimeSet* asked_ = nullptr;  // the times that a consumer of the SDK asks for; null: read its TimeSet()
    Few<AskedTime> several_times_;    // memory for the next question with several times
    std::vector<double> row_;
    std::vector<std::vector<double>> more_rows_;  // from the second on
    CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  };

  /// A question while it is answered: who asks, and the times that were asked for.
  ///
  /// The first output that is asked reads the times. Outputs upstream get the question by reference. So they answer for
  /// the same times, even if the time set of the asker changes meanwhile. In a loop of links, several questions with
  /// the same answer may exist at once.
  struct Question {
    /// \param query   the asker; borrowed
    /// \param answer  belongs to `query`; borrowed
    Question(const IBaseExchangeItem& query, Answer& answer) : asker(query), answer_(answer) {
      const TimeSet* asked = answer.asked_;
      if (asked == nullptr || asked->OwnTimes().size() != 1 || asked->OffsetFromUtcInHours() != 0.0) {
        ReadTimes();
      } else {
        const Time& time = asked->OwnTimes().front();
        times.SetOnly({time.Begin(), time.Duration()});
      }
    }
    ~Question() {
      if (times.size() > 1) answer_.several_times_ = std::move(times);
    }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

    const IBaseExchangeItem& asker;
    /// The times, in UTC. Empty if the asker has no time set, or an empty one: the asker then wants the present values.
    Few<AskedTime> times;

   private:
    void ReadTimes();
    Answer& answer_;
  };

  explicit AnswerCache(ValueKind kind = ValueKind::Double) : kind_(kind) {}

  void Register(const IBaseInput& consumer);
  void Unregister(const IBaseInput& consumer);

  /// The answer that belongs to `query`.
  Answer& For(const IBaseExchangeItem& query) {
    return only_ != nullptr && only_->query == &query ? *only_ : Find(query);
  }

 private:
  Answer& Find(const IBaseExchangeItem& query);

  ValueKind kind_;
  Answer* only_ = nullptr;                           // the registered answer when there is exactly one
  std::vector<std::unique_ptr<Answer>> registered_;  // sorted by the address of the query
  std::unique_ptr<Answer> other_;                    // made when first needed
};

namespace detail {
/// The part of `AnswerFromHistory` for all queries except a query for the newest row.
/// \param advanced  the result of `source.AdvanceTo` for the only time of the question; null: it was not called yet
const ITimeSpaceValueSet& AnswerFromRows(const IBaseExchangeItem& self, IHistoryProvider& source,
                                         const RowHistory& history, const AnswerCache::Question& question,
                                         AnswerCache::Answer& answer, const Advance* advanced);
}  // namespace detail

/// Answers a question from a history without copying a row; for plain outputs and proxies.
///
/// The answer to a stamp is the row at that stamp; the answer to a span is the row over that span, within the
/// tolerance. If the provider is busy (in a loop of links), the answer is the newest row. If the history lacks rows,
/// the caller fetches them. \param self     the output that answers; messages name it
/// \param source   an IHistoryProvider whose history answers
/// \param history  the history of `source`
/// \param answer   the answer that belongs to the asker
/// \throws LinkError   no row fits the query; names the adaptor that would help
/// \throws RangeError  the query goes beyond the times that the component computes
template <class Source>
const ITimeSpaceValueSet& AnswerFromHistory(const IBaseExchangeItem& self, Source& source, const RowHistory& history,
                                            const AnswerCache::Question& question, AnswerCache::Answer& answer) {
  if (question.times.size() != 1) return detail::AnswerFromRows(self, source, history, question, answer, nullptr);
  const Stamp end = question.times.front().End();
  Advance advance = Advance::Reached;
  const bool is_later = Before(history.LatestEnd(), end);
  if (is_later) {
    GuardStack();
    advance = source.AdvanceTo(end);
  }
  // Most queries ask for the newest row.
  if (!history.Empty() && SameTime(history.LatestEnd(), end) &&
      SameTime(history.LastBegin(), question.times.front().begin)) {
    answer.view.SetSingle(history.LastPlace());
    return answer.view;
  }
  return detail::AnswerFromRows(self, source, history, question, answer, is_later ? &advance : nullptr);
}

/// Updates `component` until `history` has a row that ends at `time` or later. All providers use this loop.
/// \throws ModelError  an update does not advance time
Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time);
/// As above.
/// \param after_update  called after each update, for providers that must fetch the new rows
Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                          const std::function<void()>& after_update);

}  // namespace openmi
