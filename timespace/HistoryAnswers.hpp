#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/Stamp.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// One asked time, in UTC.
struct AskedTime {
  Stamp begin;
  Days duration;  ///< 0 for a stamp
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
    const IBaseExchangeItem* query = nullptr;
    RowsView view;
    std::vector<std::vector<double>> rows;
    std::vector<AskedTime> times;
    CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space;

    /// The row of its own for the asked time `index`, of `width` values.
    std::span<double> OwnRow(std::size_t index, std::size_t width);
  };

  explicit AnswerBook(ValueKind kind = ValueKind::Double);

  void Register(const IBaseExchangeItem& consumer);
  void Unregister(const IBaseExchangeItem& consumer);

  /// The answer that belongs to `query`, with the asked times read into it (UTC); empty for a query without a time set
  /// or with an empty one.
  Answer& For(const IBaseExchangeItem& query);

 private:
  ValueKind kind_;
  std::unordered_map<const IBaseExchangeItem*, std::unique_ptr<Answer>> registered_;
  std::unique_ptr<Answer> other_;
  std::atomic<Answer*> last_ = nullptr;  // whoever asked last will ask again; consumers may ask side by side
};

/// Answers questions from a history without copying a row: for plain outputs and stand-ins.
///
/// A stamp is answered by the row at that stamp, a span by the row over that span, within the tolerance. When the
/// provider is busy (a loop of links) the newest row there is answers.
/// \param self    for messages
/// \param source  whose history answers
/// \throws LinkError   no row fits the question: names the adaptor that would help
/// \throws RangeError  beyond what the component computes
const ITimeSpaceValueSet& AnswerFromHistory(const IBaseExchangeItem& self, IHistoryProvider& source,
                                            AnswerBook& answers, const IBaseExchangeItem& query);

/// Lets `component` update until `history` holds a row that ends at `time` or later: the loop every provider runs.
/// \param after_update  called after each update, for providers that have to fetch the new rows; may be empty
Advance AdvanceByUpdating(IBaseLinkableComponent* component, const RowHistory& history, Stamp time,
                          const std::function<void()>& after_update = {});

}  // namespace openmi
