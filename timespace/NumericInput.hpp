#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// What an input asks for at a step from one time to the next.
enum class InputTime {
  Instant,  ///< the value at the end of the step
  Span      ///< the value over the step (a mean or an amount, as its unit says)
};

/// An input of numbers.
///
/// The element set may be shared with other items; null for a single value without a place.
class NumericInput final : public InputOf<ITimeSpaceInput>, public IDemand {
 public:
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

  InputTime Asks() const { return asks_; }
  openmi::TimeSet& EditTimeSet() { return time_set_; }
  std::size_t ElementCount() const { return where_ ? static_cast<std::size_t>(where_->ElementCount()) : 1; }

  /// Asks the provider for the step (`from`, `to`] and takes the answer. Without a provider nothing changes.
  /// \throws LinkError  the answer has another number of elements than this input
  void Pull(Stamp from, Stamp to);
  /// Promises not to ask for anything before `time`: the provider may forget it. The last answer stays good.
  void MoveHorizon(Stamp time) { time_set_.MoveHorizonBegin(time); }

  /// The row last taken (its newest time); shape [elements], unit of the value definition. The default where the input
  /// has no provider; empty before the first pull.
  std::span<const double> Row() const { return row_; }
  /// What Row() gives while there is no provider: one value for all elements.
  void SetDefault(double value);
  bool HasDefault() const { return has_default_; }

 private:
  void Take(const ITimeSpaceValueSet& values);
  void ShowDefault();
  Where Place() const;

  // What is used in every step stands together.
  ITimeSpaceOutput* provider_items_ = nullptr;  // the provider, if it has times and places
  std::span<const double> row_;
  const ITimeSpaceValueSet* values_ = nullptr;
  InputTime asks_;
  bool has_default_ = false;
  openmi::TimeSet time_set_;
  CastByType<const INumericRows, const ITimeSpaceValueSet> rows_door_;
  std::shared_ptr<const ISpatialDefinition> where_;
  double only_default_ = 0.0;    // of an input with one element
  std::vector<double> default_;  // of an input with several
  std::vector<double> copy_;     // of a foreign value set without contiguous rows
};

}  // namespace openmi
