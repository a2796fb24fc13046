#pragma once

#include <memory>
#include <vector>

#include "dotnet-bridge/plugin/Argument.hpp"
#include "dotnet-bridge/plugin/Described.hpp"
#include "dotnet-bridge/plugin/Output.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"

namespace openmi::dotnet {

/// An adapted output that a component made.
class AdaptedOutput final : public OutputThing<ITimeSpaceAdaptedOutput> {
 public:
  /// \param adaptee  an output or adapted output of the same component; borrowed
  AdaptedOutput(Thing thing, IBaseOutput& adaptee);

  IBaseOutput& Adaptee() const override { return adaptee_; }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  void Initialize() override;
  void Refresh() override;

 private:
  IBaseOutput& adaptee_;
  openmi::dotnet::Arguments arguments_;
};

/// A factory of a component. It makes adapted outputs on outputs of that component, and on what it made itself.
class Factory final : public IdentifiedThing<IAdaptedOutputFactory> {
 public:
  using IdentifiedThing::IdentifiedThing;
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptedOutput(const IIdentifiable& adapted_output_id, IBaseOutput& adaptee,
                                                          IBaseInput* target) override;
  std::vector<const IIdentifiable*> GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                 const IBaseInput* target) override;

 private:
  using KnownId = IdentifiedThing<IIdentifiable>;
  std::vector<std::unique_ptr<KnownId>> ids_;
};

}  // namespace openmi::dotnet
