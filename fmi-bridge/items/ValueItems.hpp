#pragma once

#include <memory>
#include <string>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/BytesValueSet.hpp"
#include "timespace/ISteps.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi::items {

using openmi::BytesValueSet;
using openmi::IBytesRows;

/// An output of values that are no numbers (categories, texts, bytes): it shows the latest ones.
class ValueOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// \param where      elements; null for one value
  /// \param component  the owner; `steps` is the same object
  ValueOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
              std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component, const ISteps& steps);

  /// The latest values, after the component has stepped as far as the question asks.
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return *values_; }
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }

  std::size_t ElementCount() const { return count_; }
  void Set(std::size_t element, const Value& value) { values_->SetValue(0, static_cast<int>(element), value); }
  // The same for bytes, without a Value. \pre  values of kind Binary
  void KeepBytes(std::size_t element, std::span<const std::byte> bytes) { bytes_->Keep(element, bytes); }
  /// \param bytes  borrowed until the element is set again
  void ShowBytes(std::size_t element, std::span<const std::byte> bytes) { bytes_->Show(element, bytes); }
  /// What was set is for that time. Tells adapted outputs and listeners.
  void Publish(Stamp time);
  void SetHorizon(Stamp begin, Stamp end) { time_set_.SetHorizon(begin, end); }

 private:
  const ISteps& steps_;
  std::shared_ptr<const ISpatialDefinition> where_;
  std::size_t count_;
  std::unique_ptr<ValueSetBase> values_;
  BytesValueSet* bytes_;  // the same where the values are bytes; else null
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  openmi::TimeSet time_set_;
};

/// An input of values that are no numbers.
class ValueInput final : public InputOf<ITimeSpaceInput> {
 public:
  ValueInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
             std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent& component);

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetProvider(IBaseOutput* provider) override;
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override { return &time_set_; }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }

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
  ITimeSpaceOutput* provider_items_ = nullptr;  // the provider, if it is one
  const ITimeSpaceValueSet* values_ = nullptr;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_door_;
  const IBytesRows* only_ = nullptr;  // of values_, where it is one value of bytes
  Value copy_;                        // of bytes without that door
  openmi::TimeSet time_set_;
};

}  // namespace openmi::items
