#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/AnswerCache.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/values/LatestRow.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

class NumericOutput;

/// The time of the rows of an output.
enum class OutputTime {
  Instant,  ///< the value at the end of each step
  Span      ///< the value over each step (a mean or an amount, as its unit says)
};

/// A row in memory that another object owns.
struct ShownRow {
  Stamp begin;
  Days duration;
  std::span<const double> values;
  IRowFetcher* fetcher = nullptr;  ///< see RowHistory::AppendView
};

/// What a step writes of an output whose rows are in memory of the owner of a member.
struct StepOutput {
  double* next = nullptr;  ///< null: none
  double* last = nullptr;
  std::size_t count = 0;
  Stamp end = kFarPast;
  unsigned published = 0;  ///< in the present step
  bool has_last = false;
  bool is_written = false;
  NumericOutput* output = nullptr;  ///< whose it is
  StepOutput* after = nullptr;      ///< of the next output of the same component
};

/// An output of numbers with one history of its rows.
///
/// The component writes the next row in place (`NextRow`) and publishes it. The output keeps rows as long as a consumer
/// may ask for them. Answers are views of these rows; nothing is copied.
class NumericOutput final : public OutputOf<ITimeSpaceOutput>, public IHistoryProvider, public ISharedPlaces {
 public:
  /// \param definition  what the values mean; not null
  /// \param where       the elements, which may be shared with other items; null for a single value without a place
  /// \param component   the owner; borrowed, may be null
  NumericOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component,
                OutputTime gives = OutputTime::Instant);
  NumericOutput(const NumericOutput&) = delete;
  NumericOutput& operator=(const NumericOutput&) = delete;

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    AnswerCache::Answer& answer = answers_.For(query_specifier);
    const ITimeSpaceValueSet& values = AnswerFromHistory(*this, *this, *history_, {query_specifier, answer}, answer);
    if (history_->Fetcher() != nullptr) history_->FetchRows();
    return values;
  }
  const ITimeSpaceValueSet& Values() const override { return current_; }
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return where_; }

  const RowHistory* UseHistory() override { return history_; }
  Advance AdvanceTo(Stamp time) override { return AdvanceByUpdating(Component(), *history_, time); }
  bool KeepRowsIn(RowHistory* rows) override;

  /// Whether the rows are instants or spans.
  OutputTime Gives() const { return gives_; }
  /// The number of elements; 1 for a single value without a place.
  std::size_t ElementCount() const { return where_ ? static_cast<std::size_t>(where_->ElementCount()) : 1; }
  /// The rows that may still have been needed when the newest one was published.
  ///
  /// Discards the others first; between two steps some of them may still be there.
  const RowHistory& History() const;
  /// The end of the newest row; the far past when there is none.
  Stamp LatestEnd() const { return lent_ != nullptr ? lent_->end : history_->LatestEnd(); }
  /// The earliest time for which a consumer or adapted output may still ask, UTC.
  Stamp EarliestNeeded() const { return demand_.EarliestNeeded(); }
  /// Whether a consumer or adapted output reads the values of rows here (IDemand::ReadsRows).
  bool AreRowsRead() const { return demand_.AreRowsRead(); }
  /// Replaces the places by others of the same number. Call it between two rows; adaptors notice it at the next row.
  void SetSpatialDefinition(std::shared_ptr<const ISpatialDefinition> where) { where_ = std::move(where); }
  /// Sets the times that the output can deliver. Called by the component.
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

  /// Sets whether the values never change, so that a query for any time receives them.
  void SetTimeless(bool timeless) {
    timeless_ = timeless;
    history_->SetTimeless(timeless);
  }

  /// The row to write for the present step; shape [elements].
  ///
  /// Its content is undefined: write all elements. Discards rows that are no longer needed.
  std::span<double> NextRow() {
    if (lent_ != nullptr) {
      lent_->is_written = true;
      return {lent_->next, lent_->count};
    }
    // The query to all consumers is expensive, so rows are discarded only when memory is needed.
    if (history_->IsFull()) history_->TrimBefore(demand_.EarliestNeeded());
    return history_->NextRow(ElementCount());
  }
  /// The newest published row; empty before the first.
  std::span<const double> LastRow() const {
    if (lent_ != nullptr) {
      return lent_->has_last ? std::span<const double>(lent_->last, lent_->count) : std::span<const double>();
    }
    return history_->Empty() ? std::span<const double>() : history_->LastRow();
  }
  /// Whether a row was started with `NextRow` and not yet published.
  bool IsWritten() const { return lent_ != nullptr ? lent_->is_written : history_->IsWriting(); }

  /// Publishes the row for the step (`from`, `to`]: at `to` or over the span, as `Gives()` says.
  ///
  /// If no row was written, the last one is repeated. Does not refresh.
  void Publish(Stamp from, Stamp to) {
    if (gives_ == OutputTime::Span) {
      PublishAt(from, to - from);
    } else {
      PublishAt(to, Days{});
    }
  }
  /// Publishes a row at a given time. If no row was written, the last one is repeated. Does not refresh.
  /// \throws RangeError  the row does not end after the newest one
  void PublishAt(Stamp begin, Days duration) {
    if (lent_ != nullptr) return PublishLent(*lent_, begin + duration);
    if (!history_->IsWriting()) RepeatLast();
    history_->Commit(begin, duration);
  }
  /// Lends two rows, which the output then uses in turn instead of a history: for a member of a population, whose owner
  /// takes each row before the next step. Nothing else may query the output.
  /// \param next,last  the row to write first, and the other one; shape [elements]. Borrowed until the next call;
  ///   null: use the history again
  void Lend(double* next, double* last);
  bool IsLent() const { return lent_ != nullptr; }
  /// Where a step of a lent output writes.
  StepOutput& StepPlace() { return *step_; }
  const StepOutput& StepPlace() const { return *step_; }
  /// Moves this place: for a component that lies in a StepMemory. Call it before anything refers to the place.
  /// \param place  borrowed
  void SetStepPlace(StepOutput& place) {
    place = *step_;
    step_ = &place;
  }
  /// Ends the step of a lent output, which ended at `to`: publishes the row unless the component did.
  /// \throws ModelError  the component published another row, or more than one
  static void EndLentStep(StepOutput& lent, Stamp to) {
    if (Before(lent.end, to)) PublishLent(lent, to);
    if (lent.published != 1) lent.output->RefuseLentRows();
    lent.published = 0;
  }
  /// Ends `Prepare` of a lent output.
  /// \returns whether it has a row at the start
  bool EndLentStart();
  /// Makes the other one of the lent rows, which the owner has written, the newest row: a state was restored.
  void ShowLent(Stamp end) {
    step_->has_last = true;
    step_->end = end;
  }

  /// Replaces the rows by `rows`, ascending in time, without copying them; for a component that computes elsewhere.
  ///
  /// Rows that are already here stay in place. Does not refresh.
  /// \returns whether there is a new row
  bool ShowRows(std::span<const ShownRow> rows);
  /// Notifies adapted outputs and handlers that the values changed.
  void Refresh() {
    RaiseItemChanged("values");
    RefreshAdaptedOutputs();
  }
  /// Discards all rows, before the component starts again.
  void Reset();
  /// Discards rows after `time`, when a state was restored.
  void ForgetAfter(Stamp time);
  /// Restores the rows of a kept state. Rows that are still here do not move, and views of them stay valid.
  void RestoreRows(const RowHistory& rows);

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  void RepeatLast();
  static void PublishLent(StepOutput& lent, Stamp end) {
    if (!lent.is_written) lent.output->RepeatLast();
    std::swap(lent.next, lent.last);
    lent.has_last = true;
    lent.is_written = false;
    lent.end = end;
    ++lent.published;
  }
  [[noreturn]] void RefuseLentRows() const;

  StepOutput* lent_ = nullptr;  // step_ while rows are lent, else null
  StepOutput own_step_;
  StepOutput* step_ = &own_step_;
  OutputTime gives_;
  std::shared_ptr<const ISpatialDefinition> where_;
  RowHistory own_;
  RowHistory* history_ = &own_;  // own_, or the lent history
  bool timeless_ = false;
  LatestTimes time_set_;
  LatestValues current_;
  AnswerCache answers_;
  DemandList demand_;
};

}  // namespace openmi
