#pragma once

#include <memory>

#include "dotnet-bridge/plugin/EngineCalls.hpp"
#include "dotnet-bridge/plugin/Places.hpp"
#include "dotnet-bridge/plugin/Thing.hpp"
#include "dotnet-bridge/plugin/Times.hpp"
#include "openmi/sdk/ItemOf.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi::dotnet {

/// An object of .NET behind an item.
class IManaged {
 public:
  virtual ~IManaged() = default;
  virtual int Number() const = 0;
};

/// An input of a component. While it is linked, the component sees a provider that asks the one in the engine.
class Input final : public ItemOf<ITimeSpaceInput>,
                    public IManaged,
                    public ISharedPlaces,
                    public IAsks,
                    public IHearsItem {
 public:
  /// \param component  the owner; borrowed
  Input(Thing thing, IBaseLinkableComponent* component);
  ~Input() override;

  std::string Caption() const override;
  void SetCaption(const std::string& caption) override;
  std::string Description() const override;
  void SetDescription(const std::string& description) override;
  IBaseOutput* Provider() const override { return provider_; }
  void SetProvider(IBaseOutput* provider) override;
  const ITimeSpaceValueSet* Values() const override;
  void SetValues(const IBaseValueSet* values) override;
  const openmi::ITimeSet* TimeSet() const override;
  const ISpatialDefinition* SpatialDefinition() const override { return SharedPlaces().get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return places_.Of(Number()); }
  int Number() const override { return thing_.Number(); }

  std::size_t Ask(const openmi::TimeSet* times) override;
  const double* AnswerRow(std::size_t row, int& size) override;
  Value AnswerValue(std::size_t row, std::size_t element) override;
  const openmi::ITimeSet* ProviderTimes() override;
  void OnItemChanged(const std::string& message) override { RaiseItemChanged(message.c_str()); }

 private:
  Thing thing_;
  IBaseOutput* provider_ = nullptr;
  int link_ = 0;                            // the provider that the component sees; 0: none
  const openmi::TimeSet* asked_ = nullptr;  // while it asks
  const IBaseValueSet* answer_ = nullptr;
  NumberRows rows_;
  Places places_;
  mutable Times times_;
  openmi::TimeSet no_times_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
  const ITimeSpaceValueSet* given_ = nullptr;  // by SetValues
  Thing given_number_;                         // the copy that the component has of them
};

}  // namespace openmi::dotnet
