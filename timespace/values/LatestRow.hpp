#pragma once

#include <span>

#include "timespace/times/TimeSet.hpp"
#include "timespace/values/RowHistory.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// The time of a history's newest row, as a time set. It reads the history, so that new rows cost no copy.
class LatestTimes final : public ITimeSet {
 public:
  /// \param history  borrowed through the owner's pointer, so that the owner can replace the history
  LatestTimes(RowHistory* const& history, bool has_durations)
      : newest_(history), has_durations_(has_durations), horizon_(HorizonOf(kFarPast, kFarFuture)) {}
  LatestTimes(const LatestTimes&) = delete;
  LatestTimes& operator=(const LatestTimes&) = delete;

  bool HasDurations() const override { return has_durations_; }
  double OffsetFromUtcInHours() const override { return 0.0; }
  const ITime& TimeHorizon() const override { return horizon_; }
  std::span<const ITime* const> Times() const override { return {&list_, newest_.history->Empty() ? 0u : 1u}; }

  void SetHorizon(Stamp begin, Stamp end) { horizon_ = HorizonOf(begin, end); }

 private:
  struct Newest final : ITime {
    explicit Newest(RowHistory* const& rows) : history(rows) {}
    double DurationInDays() const override { return history->Duration(history->LastIndex()).count; }
    double StampAsModifiedJulianDay() const override { return history->LastBegin().mjd; }
    RowHistory* const& history;
  };
  Newest newest_;
  const ITime* list_ = &newest_;
  bool has_durations_;
  Time horizon_;
};

/// The newest row of a history, as a value set; empty before the first row.
class LatestValues final : public ReadOnlyRows {
 public:
  /// \param history  borrowed through the owner's pointer, so that the owner can replace the history
  LatestValues(RowHistory* const& history, ValueKind kind) : ReadOnlyRows(kind), history_(history) {}
  std::size_t RowCount() const override { return history_->Empty() ? 0 : 1; }
  std::span<const double> Row(std::size_t row) const override {
    static_cast<void>(CheckedRow(row, RowCount()));
    return history_->LastRow();
  }

 private:
  RowHistory* const& history_;
};

}  // namespace openmi
