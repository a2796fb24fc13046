#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/BytesValueSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// Takes a value as text: a text, bytes as they are, the digits of a number.
/// \returns false, and changes nothing, where the value is missing
bool TakeText(const Value& value, std::string& text);

/// An output of values that are not numbers (categories, texts, bytes).
///
/// A value is valid until the next one comes: a request gets the value that is valid at its time, never a later one.
/// Rows are kept as long as a consumer may still request them; their memory is reused.
///
/// The component sets all elements of a row and publishes it. If it publishes without setting anything, the last row
/// stays valid.
class ValueOutput final : public OutputOf<ITimeSpaceOutput>, public IRowTimes {
 public:
  /// \param where      elements; null for one value
  /// \param component  the owner, which has ISteps; borrowed
  ValueOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
              std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component);

  /// The values valid at the requested time, after the component has advanced to it; without a time, the latest values.
  /// \throws RangeError  the time is before all rows that are kept
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return rows_.empty() ? *next_.values : *rows_.back().values; }
  Stamp NextRow(Stamp time) const override;
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }

  std::size_t ElementCount() const { return count_; }
  /// The number of rows that are kept.
  std::size_t RowCount() const { return rows_.size(); }
  /// Sets a value of the next row.
  void Set(std::size_t element, const Value& value) {
    next_.values->SetValue(0, static_cast<int>(element), value);
    next_.is_set = true;
  }
  /// Sets bytes, as Set does, without a Value.
  /// \pre  the values are of kind Binary
  void KeepBytes(std::size_t element, ByteView bytes) {
    next_.bytes->Keep(element, bytes);
    next_.is_set = true;
  }
  /// Shows bytes in the memory of the component.
  /// \param bytes  borrowed until KeepShown or KeepShownBefore
  void ShowBytes(std::size_t element, ByteView bytes) {
    next_.bytes->Show(element, bytes);
    next_.is_set = next_.is_borrowed = true;
  }
  /// Copies the bytes that ShowBytes shows, if needed. Call it before that memory changes.
  ///
  /// Bytes are copied if a consumer may request a time before `next`, the time of the next row; without `next`, always.
  void KeepShown(std::optional<Stamp> next = std::nullopt);
  /// The same for a component that shows two buffers in turn; call it before each step.
  ///
  /// The bytes shown last stay unchanged for one more step, so only earlier rows are copied, if a consumer may still
  /// request them.
  void KeepShownBefore();
  /// Makes the values that were set valid from that time on. Refreshes adapted outputs and listeners.
  void Publish(Stamp time);
  /// Does the same for the first row, before Prepare; adapted outputs and listeners are not notified.
  void ShowAt(Stamp time) {
    GiveUp(0, rows_.size());
    Commit(time);
  }
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

  /// Writes the rows that are kept, for the state of the component.
  void SaveRows(StateWriter& writer) const;
  /// Replaces the rows by those of a state.
  /// \throws FormatError  they are of another output
  void LoadRows(StateReader& reader);

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override { demand_.Add(consumer); }
  void OnConsumerRemoved(IBaseInput& consumer) override { demand_.Remove(consumer); }
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  struct Row {
    Stamp begin;
    std::unique_ptr<ValueSetBase> values;
    BytesValueSet* bytes = nullptr;  // the same object if the values are bytes; else null
    bool is_set = false;
    bool is_borrowed = false;
    bool is_ending = false;  // borrowed; its memory changes, and no consumer needs a copy
  };
  void Copy(Row& row) const;
  Row MakeRow() const;
  /// A row, with reused memory if there is some.
  Row NewRow();
  /// Releases the rows from number `first` to `last`, without `last`.
  void GiveUp(std::size_t first, std::size_t last);
  void Commit(Stamp time);

  const ISteps& steps_;
  std::shared_ptr<const ISpatialDefinition> where_;
  std::size_t count_;
  Row next_;                // the next row, not published yet
  std::vector<Row> rows_;   // ascending
  std::vector<Row> spare_;  // memory to reuse
  DemandList demand_;
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  openmi::TimeSet time_set_;
};

/// An input of values that are not numbers. It requests ever later times, unless its component goes back in time.
class ValueInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param component  the owner; borrowed
  ValueInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
             std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component);

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetProvider(IBaseOutput* provider) override;
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// The time requested last, or the present time of its component if that is later.
  Stamp EarliestNeeded() const override;
  /// States that it makes no further request in this run, so that nothing must be kept for it.
  void AskNoMore() { asks_no_more_ = true; }

  std::size_t ElementCount() const { return count_; }
  /// Requests the values at `to` from the provider.
  /// \throws LinkError  another number of elements
  void Pull(Stamp to);
  /// The last value received; empty before the first.
  Value Get(std::size_t element) const;
  /// The last bytes received, without a copy if the provider allows that; empty if it gave no bytes.
  ///
  /// Valid until the next call of Pull or of this function.
  ByteView GetBytes(std::size_t element);
  void MoveHorizon(Stamp time) { time_set_.MoveHorizonBegin(time); }
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

 private:
  void Take(const ITimeSpaceValueSet& values);

  std::shared_ptr<const ISpatialDefinition> where_;
  std::size_t count_;
  const ISteps* steps_;  // of its component; null: without times
  bool asks_no_more_ = false;
  ITimeSpaceOutput* provider_items_ = nullptr;  // the provider, if it has times and elements
  const ITimeSpaceValueSet* values_ = nullptr;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_rows_;
  const IBytesRows* only_ = nullptr;  // view of values_, if it is one value of bytes
  Value copy_;                        // of bytes, for a provider without IBytesRows
  openmi::TimeSet time_set_;
};

}  // namespace openmi
