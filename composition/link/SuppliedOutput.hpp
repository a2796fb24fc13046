#pragma once

#include <memory>
#include <span>

#include "composition/proxy/HostCopies.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/AnswerCache.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/values/LatestRow.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// What holds between the times for which values are supplied.
enum class SuppliedBetween {
  Previous,  ///< the row before, until the next one; the last row also holds after its time
  Linear     ///< the straight line between two rows; nothing is known after the last row
};

/// Values that the program around a run supplies for an input, row by row: the provider at the start of the input's
/// link.
///
/// A question for an instant is answered by the row that holds there, or by the line between two rows. A question for a
/// span is answered by the mean over it; if a row has exactly that span, by that row. So amounts pass through
/// unchanged, for the spans that are asked for. Missing values make missing values. Rows are kept as long as the input
/// may still ask for them. In steady state nothing is allocated.
class SuppliedOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// \param input    takes numbers; its definitions are copied
  /// \param between  what holds between two supplied rows
  /// \throws TypeError  it takes no numbers
  SuppliedOutput(const ITimeSpaceInput& input, SuppliedBetween between);

  /// Supplies a row, in the unit of the input, later than those before. A row that ends when the last one ends replaces
  /// it.
  /// \param begin     UTC
  /// \param duration  0: an instant
  /// \param row       shape [elements of the input]
  /// \throws RangeError  wrong number of values, an earlier time, an invalid time, or a span where rows are joined by
  ///   lines
  void Supply(Stamp begin, Days duration, std::span<const double> row);
  std::size_t ElementCount() const { return where_ ? static_cast<std::size_t>(where_->ElementCount()) : 1; }

  /// Answers the times of the query.
  /// \throws RangeError  no value is known for a time that is asked for
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return values_; }
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }

  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;

 private:
  using Answer = AnswerCache::Answer;
  /// The index of the row that holds at `time`.
  /// \throws RangeError  none does
  std::size_t HoldingAt(Stamp time) const;
  std::span<const double> At(Stamp time, Answer& answer, std::size_t index) const;
  std::span<const double> Mean(Stamp begin, Stamp end, Answer& answer, std::size_t index) const;
  /// Adds `weight` times a row to `sum`, where NaN marks what is missing.
  void AddWeighted(std::span<double> sum, std::size_t row, double weight) const;
  [[noreturn]] void RefuseUnknown(Stamp time) const;

  SuppliedBetween between_;
  double missing_;
  std::shared_ptr<const ISpatialDefinition> where_;
  RowHistory rows_;
  RowHistory* shown_ = &rows_;
  LatestTimes times_;
  LatestValues values_;
  AnswerCache answers_;
  DemandList demand_;
};

}  // namespace openmi
