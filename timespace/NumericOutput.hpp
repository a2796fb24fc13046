#pragma once

#include <memory>
#include <span>
#include <string>

#include "openmi/sdk/OutputOf.hpp"
#include "timespace/DemandList.hpp"
#include "timespace/HistoryAnswers.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/ISharedPlaces.hpp"
#include "timespace/LatestRow.hpp"
#include "timespace/RowHistory.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// What the rows of an output are.
enum class OutputTime {
  Instant,  ///< the value at the end of each step
  Span      ///< the value over each step (a mean or an amount, as its unit says)
};

/// A row that somebody else keeps.
struct ShownRow {
  Stamp begin;
  Days duration;
  std::span<const double> values;
};

/// An output of numbers with the one history of its rows.
///
/// The component writes the next row in place (NextRow) and publishes it. Rows are kept as long as a consumer may still
/// ask for them; answers are views of them, so nothing is copied.
class NumericOutput final : public OutputOf<ITimeSpaceOutput>, public IHistoryProvider, public ISharedPlaces {
 public:
  NumericOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component,
                OutputTime gives = OutputTime::Instant);
  NumericOutput(const NumericOutput&) = delete;
  NumericOutput& operator=(const NumericOutput&) = delete;

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    return AnswerFromHistory(*this, *this, *history_, answers_, query_specifier);
  }
  const ITimeSpaceValueSet& Values() const override { return current_; }
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return where_; }

  const RowHistory* UseHistory() override { return history_; }
  Advance AdvanceTo(Stamp time) override { return AdvanceByUpdating(Component(), *history_, time); }
  bool KeepRowsIn(RowHistory* rows) override;

  OutputTime Gives() const { return gives_; }
  std::size_t ElementCount() const { return where_ ? static_cast<std::size_t>(where_->ElementCount()) : 1; }
  /// The rows that somebody could still ask for when the newest one came. Gives up the others first: between two steps
  /// some may be left.
  const RowHistory& History() const;
  /// The end of the newest row; the far past when there is none.
  Stamp LatestEnd() const { return history_->LatestEnd(); }
  /// The earliest time that a consumer or adapted output may still ask for, UTC.
  Stamp EarliestNeeded() const { return demand_.EarliestNeeded(); }
  /// Other places, of the same number, than before: between two rows. Adaptors notice at the next row.
  void SetSpatialDefinition(std::shared_ptr<const ISpatialDefinition> where) { where_ = std::move(where); }
  /// Where the item can deliver; the component sets it.
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

  /// Says that the values never change, so that a question for any time gets them.
  void SetTimeless(bool timeless) {
    timeless_ = timeless;
    history_->SetTimeless(timeless);
  }

  /// The row to write for the step under way; shape [elements]. Its content is undefined until written: all elements
  /// must be. Rows nobody can ask for any more give way.
  std::span<double> NextRow() {
    // Asking everybody what they need is what costs: as long as there is room, nothing need go.
    if (history_->IsFull()) history_->TrimBefore(demand_.EarliestNeeded());
    return history_->NextRow(ElementCount());
  }
  /// The newest published row; empty before the first.
  std::span<const double> LastRow() const {
    return history_->Empty() ? std::span<const double>() : history_->LastRow();
  }
  bool IsWritten() const { return history_->IsWriting(); }

  /// Publishes the row for the step (`from`, `to`]: at `to`, or over the span, as Gives() says. A row that was not
  /// written repeats the last one. Does not refresh.
  void Publish(Stamp from, Stamp to) {
    if (gives_ == OutputTime::Span) {
      PublishAt(from, to - from);
    } else {
      PublishAt(to, Days{});
    }
  }
  /// Publishes a row at an explicit time.
  void PublishAt(Stamp begin, Days duration) {
    if (!history_->IsWriting()) RepeatLast();
    history_->Commit(begin, duration);
  }
  /// Makes the rows kept those of `rows`, ascending in time, without copying them: for a component that computes
  /// elsewhere. Rows that are kept already stay as they are. Does not refresh.
  /// \returns whether there is a new row
  bool ShowRows(std::span<const ShownRow> rows);
  /// Tells adapted outputs and listeners.
  void Refresh() {
    RaiseItemChanged("values");
    RefreshAdaptedOutputs();
  }
  /// Forgets everything: the component starts again.
  void Reset();
  /// Forgets what is after `time`: a state was restored.
  void ForgetAfter(Stamp time);
  /// Takes up the rows of a restored state. Those that are still kept here do not move, and views of them stay good.
  void RestoreRows(const RowHistory& rows);

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  void RepeatLast();

  OutputTime gives_;
  std::shared_ptr<const ISpatialDefinition> where_;
  RowHistory own_;
  RowHistory* history_ = &own_;  // own_, or the one that was lent
  bool timeless_ = false;
  LatestTimes time_set_;
  LatestValues current_;
  AnswerBook answers_;
  DemandList demand_;
};

}  // namespace openmi
