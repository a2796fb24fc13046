#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/BytesValueSet.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// An input, of a component in another process, for values that are no rows of numbers: texts, categories, bytes.
class IsolatedValuesInput final : public InputOf<ITimeSpaceInput> {
 public:
  IsolatedValuesInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                      std::shared_ptr<const ISpatialDefinition> where, std::unique_ptr<openmi::TimeSet> times,
                      IBaseLinkableComponent* component)
      : InputOf(std::move(id), std::move(definition), component), where_(std::move(where)), times_(std::move(times)) {}

  const ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const IBaseValueSet* values) override {
    values_ = values != nullptr ? as_time_space_(*values) : nullptr;
    RaiseItemChanged("values");
  }
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  openmi::TimeSet* EditTimeSet() { return times_.get(); }

 private:
  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<openmi::TimeSet> times_;
  CastByType<const ITimeSpaceValueSet, const IBaseValueSet> as_time_space_;
  const ITimeSpaceValueSet* values_ = nullptr;
};

/// An output for such values: fetches them when they are asked for, once for each state of the component.
class IsolatedValuesOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  using Fetch = std::function<std::unique_ptr<ITimeSpaceValueSet>()>;
  IsolatedValuesOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                       std::shared_ptr<const ISpatialDefinition> where, std::unique_ptr<openmi::TimeSet> times,
                       IBaseLinkableComponent* component, Fetch fetch)
      : OutputOf(std::move(id), std::move(definition), component),
        where_(std::move(where)),
        times_(std::move(times)),
        fetch_(std::move(fetch)) {}

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem&) override { return Values(); }
  const ITimeSpaceValueSet& Values() const override {
    if (has_bytes_) return bytes_;
    if (!values_) values_ = fetch_();
    return *values_;
  }
  /// The one value of bytes, which lies in memory that both processes see, until the second step from now.
  void ShowBytes(std::span<const std::byte> bytes) {
    bytes_.Show(0, bytes);
    has_bytes_ = true;
  }
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// The component went on: what was fetched is old. Tells adapted outputs and listeners.
  void Forget(Stamp now) {
    values_.reset();
    if (times_ && now != kFarPast) times_->SetSingle(now);
    RaiseItemChanged("values");
    RefreshAdaptedOutputs();
  }

 private:
  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<openmi::TimeSet> times_;
  Fetch fetch_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
  BytesValueSet bytes_{1};
  bool has_bytes_ = false;
};

}  // namespace openmi
