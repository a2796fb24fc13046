#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/BytesValueSet.hpp"
#include "timespace/DemandList.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/ISteps.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi::items {

using openmi::BytesValueSet;
using openmi::IBytesRows;

/// An output of values that are no numbers (categories, texts, bytes). A value holds until the next one comes: a
/// question is answered with the value that is valid at its time, never a later one. Rows are kept as long as a
/// consumer may still ask for them; their memory is used again.
///
/// The component sets all elements of a row and publishes it; a row that was not set again holds on.
class ValueOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// \param where      elements; null for one value
  /// \param component  the owner; `steps` is the same object
  ValueOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
              std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component, const ISteps& steps);

  /// The values valid at the asked time, after the component has stepped that far; without a time, the latest.
  /// \throws RangeError  earlier than any row that is kept
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return rows_.empty() ? *next_.values : *rows_.back().values; }
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }

  std::size_t ElementCount() const { return count_; }
  /// How many rows are kept.
  std::size_t RowCount() const { return rows_.size(); }
  void Set(std::size_t element, const Value& value) {
    next_.values->SetValue(0, static_cast<int>(element), value);
    next_.is_set = true;
  }
  // The same for bytes, without a Value. \pre  values of kind Binary
  void KeepBytes(std::size_t element, std::span<const std::byte> bytes) {
    next_.bytes->Keep(element, bytes);
    next_.is_set = true;
  }
  /// \param bytes  borrowed until KeepShown or KeepShownBefore
  void ShowBytes(std::size_t element, std::span<const std::byte> bytes) {
    next_.bytes->Show(element, bytes);
    next_.is_set = next_.is_borrowed = true;
  }
  /// To be called before the memory changes that ShowBytes was given. Copies the bytes where a consumer may ask for a
  /// time before `next`, when the next row comes; without a time always.
  void KeepShown(std::optional<Stamp> next = std::nullopt);
  /// The same for a component that shows two buffers in turn, before each step: what was shown last stays as it is for
  /// one step more, so only rows before it are copied where a consumer may still ask for them.
  void KeepShownBefore();
  /// What was set holds from that time on. Refreshes adapted outputs and listeners.
  void Publish(Stamp time);
  /// The same, as the first row, before the component is prepared: adapted outputs and listeners do not hear of it.
  void ShowAt(Stamp time) {
    GiveUp(0, rows_.size());
    Commit(time);
  }
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

  /// The rows that are kept, for the state of the component.
  void SaveRows(StateWriter& writer) const;
  /// In place of those that are there. \throws FormatError  they are of another output
  void LoadRows(StateReader& reader);

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override { demand_.Add(consumer); }
  void OnConsumerRemoved(IBaseInput& consumer) override { demand_.Remove(consumer); }
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  struct Row {
    Stamp begin;
    std::unique_ptr<ValueSetBase> values;
    BytesValueSet* bytes = nullptr;  // the same where the values are bytes; else null
    bool is_set = false;
    bool is_borrowed = false;
    bool is_ending = false;  // borrowed, its memory changes, and no consumer needs a copy
  };
  void Copy(Row& row) const;
  Row MakeRow() const;
  /// One with memory that was used before, where there is one.
  Row NewRow();
  /// Rows from number `first` to before `last` are needed no more.
  void GiveUp(std::size_t first, std::size_t last);
  void Commit(Stamp time);

  const ISteps& steps_;
  std::shared_ptr<const ISpatialDefinition> where_;
  std::size_t count_;
  Row next_;                // to be written
  std::vector<Row> rows_;   // ascending
  std::vector<Row> spare_;  // memory to use again
  DemandList demand_;
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  openmi::TimeSet time_set_;
};

/// An input of values that are no numbers. It asks for later and later times, unless its component goes back.
class ValueInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  ValueInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
             std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component);

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetProvider(IBaseOutput* provider) override;
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// The time it asked for last, or the present time of its component where that is later.
  Stamp EarliestNeeded() const override;
  /// It asks no more in this run: nothing need be kept for it.
  void AskNoMore() { asks_no_more_ = true; }

  std::size_t ElementCount() const { return count_; }
  /// Asks the provider for values at `to`. \throws LinkError  another number of elements
  void Pull(Stamp to);
  /// The value taken last; empty before the first.
  Value Get(std::size_t element) const;
  /// The bytes taken last, without a copy where the provider offers that; none where it gave no bytes. Good until the
  /// next Pull, or call of this.
  std::span<const std::byte> GetBytes(std::size_t element);
  void MoveHorizon(Stamp time) { time_set_.MoveHorizonBegin(time); }
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

 private:
  void Take(const ITimeSpaceValueSet& values);

  std::shared_ptr<const ISpatialDefinition> where_;
  std::size_t count_;
  const ISteps* steps_;  // its component; null: without times
  bool asks_no_more_ = false;
  ITimeSpaceOutput* provider_items_ = nullptr;  // the provider, if it is one
  const ITimeSpaceValueSet* values_ = nullptr;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_door_;
  const IBytesRows* only_ = nullptr;  // of values_, where it is one value of bytes
  Value copy_;                        // of bytes without that door
  openmi::TimeSet time_set_;
};

}  // namespace openmi::items
