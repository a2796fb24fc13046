#pragma once

#include <memory>

#include "composition/proxy/HostCopies.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// What an output showed when its component was taken out of the run, copied into the engine's memory.
class FrozenOutput final : public OutputOf<ITimeSpaceOutput>, public ISharedPlaces {
 public:
  /// \param component  the engine's proxy of the component
  /// \throws LinkError  what it shows cannot be copied
  FrozenOutput(const ITimeSpaceOutput& output, IBaseLinkableComponent* component, PlaceCopies& places);

  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem&) override { return *values_; }
  const ITimeSpaceValueSet& Values() const override { return *values_; }
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return where_; }

 private:
  std::unique_ptr<openmi::TimeSet> times_;
  std::shared_ptr<const ISpatialDefinition> where_;
  std::unique_ptr<ITimeSpaceValueSet> values_;
};

/// What an input showed when its component was taken out of the run. It asks for nothing.
class FrozenInput final : public InputOf<ITimeSpaceInput> {
 public:
  FrozenInput(const ITimeSpaceInput& input, IBaseLinkableComponent* component, PlaceCopies& places);

  const ITimeSpaceValueSet* Values() const override { return nullptr; }
  void SetValues(const IBaseValueSet*) override {}
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// Sets the earliest time (UTC) that it may ask for when its component is back.
  void MoveHorizon(Stamp begin);

 private:
  std::unique_ptr<openmi::TimeSet> times_;
  std::shared_ptr<const ISpatialDefinition> where_;
};

}  // namespace openmi
