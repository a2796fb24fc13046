#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// The time for which an input asks in a step.
enum class InputTime {
  Instant,  ///< the value at the end of the step
  Span      ///< the value over the step (a mean or an amount, as its unit says)
};

/// What a step reads of an input.
struct StepInput {
  std::span<const double> row;  ///< shape [elements]; empty: there is none yet
  double only_default = 0.0;    ///< of an input with one element
};

/// An input of numbers.
class NumericInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
  /// \param definition  what the values mean; not null
  /// \param where       the elements, which may be shared with other items; null for a single value without a place
  /// \param component   the owner; borrowed, may be null
  NumericInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
               std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component,
               InputTime asks = InputTime::Instant);
  NumericInput(const NumericInput&) = delete;
  NumericInput& operator=(const NumericInput&) = delete;

  void SetProvider(IBaseOutput* provider) override;
  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  Stamp EarliestNeeded() const override;
  const openmi::TimeSet* AskedTimes() const override { return &time_set_; }
  bool ReadsRows() const override { return reads_rows_; }
  /// Sets whether it reads values, or stands for an input elsewhere that gets them on another way.
  void SetReadsRows(bool reads) { reads_rows_ = reads; }

  /// Whether the input asks for instants or spans.
  InputTime Asks() const { return asks_; }
  /// The time set of the queries.
  openmi::TimeSet& EditTimeSet() { return time_set_; }
  /// The number of elements; 1 for a single value without a place.
  std::size_t ElementCount() const { return where_ ? static_cast<std::size_t>(where_->ElementCount()) : 1; }

  /// Asks the provider for the step (`from`, `to`] and takes the answer. Without a provider nothing changes.
  /// \throws LinkError  the answer has another number of elements than this input
  void Pull(Stamp from, Stamp to);
  /// Promises not to ask for times before `time`, so that the provider may discard them. The last answer stays valid.
  void MoveHorizon(Stamp time) { time_set_.MoveHorizonBegin(time); }

  /// The row of the newest time in the last answer; shape [elements], in the unit of the value definition.
  ///
  /// Without a provider: the default. Empty before the first pull.
  std::span<const double> Row() const { return step_->row; }
  /// Lends a row that `Row()` returns from now on: for a member of a population, whose owner writes the row before each
  /// step. `Pull` is not called.
  /// \param row   shape [elements]; borrowed
  /// \param from  the provider that the component sees; borrowed
  void Lend(std::span<const double> row, IBaseOutput& from) {
    SetProvider(&from);
    step_->row = row;
  }
  /// Where a step reads.
  const StepInput& StepPlace() const { return *step_; }
  /// Moves this place: for a component that lies in a StepMemory. Call it before anything refers to the place.
  /// \param place  borrowed
  void SetStepPlace(StepInput& place) {
    place = *step_;
    step_ = &place;
  }
  /// Sets the value that `Row()` returns for all elements while there is no provider.
  void SetDefault(double value);
  bool HasDefault() const { return has_default_; }
  /// Whether the input has a provider.
  bool IsLinked() const { return is_linked_; }

 private:
  void Take(const ITimeSpaceValueSet& values);
  void ShowDefault();
  Where Place() const;

  // The members that every step uses are next to each other.
  ITimeSpaceOutput* provider_items_ = nullptr;  // the provider when it has times and places
  StepInput own_step_;
  StepInput* step_ = &own_step_;
  const ITimeSpaceValueSet* values_ = nullptr;
  InputTime asks_;
  bool has_default_ = false;
  bool is_linked_ = false;
  bool reads_rows_ = true;
  openmi::TimeSet time_set_;
  CastByType<const INumericRows, const ITimeSpaceValueSet> numeric_rows_;
  std::shared_ptr<const ISpatialDefinition> where_;
  std::vector<double> default_;  // of an input with several
  std::vector<double> copy_;     // of a third-party value set without contiguous rows
};

}  // namespace openmi
