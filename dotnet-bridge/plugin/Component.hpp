#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dotnet-bridge/plugin/Adaptors.hpp"
#include "dotnet-bridge/plugin/Argument.hpp"
#include "dotnet-bridge/plugin/Output.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::dotnet {

/// Makes a component of an assembly. It has the optional interfaces of the object there.
/// \param path  of the assembly, absolute
/// \param type  its full name
/// \throws ModelError  its constructor threw
std::unique_ptr<IBaseLinkableComponent> MakeComponent(const std::string& path, const std::string& type);

/// A state that a component keeps.
struct KeptState {
  std::unique_ptr<IIdentifiable> id;
  Thing thing;
};

/// What all components do, whatever interfaces they have.
class ComponentCore final : public IHears {
 public:
  /// \param self  the component in the engine; borrowed
  explicit ComponentCore(IBaseLinkableComponent& self) : self_(self) {}
  void Make(const std::string& path, const std::string& type);

  int Number() const { return thing_.Number(); }
  void SetFolder(const std::string& folder) { folder_ = folder; }
  std::string Id() const;
  std::string Caption() const;
  std::string Description() const;
  void SetCaption(const std::string& caption);
  std::span<IArgument* const> Arguments() const { return arguments_.Items(); }
  std::span<IBaseInput* const> Inputs() const;
  std::span<IBaseOutput* const> Outputs() const;
  std::vector<IAdaptedOutputFactory*>& Factories();
  LinkableComponentStatus Status() const;
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() { return changed_; }
  void Initialize();
  std::vector<std::string> Validate();
  void Prepare();
  void Update(std::span<IBaseOutput* const> required_outputs);
  void Finish();
  void TakeRows();
  const ITimeSet& TimeExtent() const;

  const IIdentifiable& KeepCurrentState();
  void RestoreState(const IIdentifiable& state_id);
  void ClearState(const IIdentifiable& state_id);
  const IIdentifiable& ConvertFromByteArray(ByteView bytes);
  Bytes ConvertToByteArray(const IIdentifiable& state_id);

  void OnStatusChanged(LinkableComponentStatus from, LinkableComponentStatus to, const std::string& message) override;

 private:
  /// Calls the component, in its folder; an error gets its name.
  template <class Work>
  auto Calling(Work&& work) const;
  const IIdentifiable& Remember(Thing state);
  /// 0: the component gave no state with this id.
  int StateOf(const IIdentifiable& id) const;
  template <class Change>
  void WithState(Change&& change);
  /// Takes what Border.Update wrote.
  /// \param count  of outputs in it
  void TakeReport(std::size_t count);

  IBaseLinkableComponent& self_;
  Thing thing_;
  std::string type_;
  std::string folder_;
  std::optional<std::string> caption_;  // of a component that takes none
  openmi::dotnet::Arguments arguments_;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
  std::vector<IBaseInput*> input_list_;
  std::vector<IBaseOutput*> output_list_;
  std::vector<std::unique_ptr<Factory>> factories_;
  std::vector<IAdaptedOutputFactory*> factory_list_;
  std::map<std::string, KeptState> states_;
  std::vector<int> asked_;      // of each output, as Border.Update takes them
  std::vector<double> report_;  // what it wrote
  Reported<LinkableComponentStatus> status_;
  mutable Times extent_;
  TimeSet no_extent_;
  bool is_initialized_ = false;
};

}  // namespace openmi::dotnet
