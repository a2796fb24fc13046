#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/AtWork.hpp"
#include "composition/run/ComponentStandIn.hpp"
#include "composition/run/StandIn.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "timespace/IBalance.hpp"
#include "timespace/ISteps.hpp"

namespace openmi {

/// Lets a component that called exit be: what it holds is in an unknown state, so neither it nor its library
/// is called again, not even to be destroyed. \param loaded  empty afterwards
void AbandonComponent(LoadedComponent& loaded);

/// One component of a composition: what the file says of it, the component itself, and the host's stand-ins for its
/// outputs.
struct Instance {
  const ComponentSpec* spec = nullptr;
  OmiFile omi;                             ///< empty path where the composition names type and assembly itself
  std::unique_ptr<Conduct> conduct;        ///< what it did to the process; not null once it is loaded
  std::unique_ptr<ComponentStandIn> host;  ///< what the host's own items name as their owner
  LoadedComponent loaded;                  ///< code before objects: the library goes last
  std::vector<OmiArgument> changed;        ///< arguments that became other than the files say; see Change
  std::vector<std::string> secrets;        ///< keys of arguments whose values nobody is to see; also while it is out
  FamilyThread* thread = nullptr;          ///< where its code has to run; null: anywhere
  ISteps* steps = nullptr;                 ///< null: a component without that door
  IBalance* balance = nullptr;             ///< null: it does not state its storage
  std::map<std::string, std::unique_ptr<StandIn>> stand_ins;  ///< by the output's id; gone before the component

  const std::string& Id() const { return spec->id; }
  /// The component; while its family is disengaged, what stands for it.
  IBaseLinkableComponent& Component() const {
    return loaded.component != nullptr ? *loaded.component : static_cast<IBaseLinkableComponent&>(*host);
  }
  /// What is called to initialize, validate, prepare, update and finish it: itself, or, where its code has to run on a
  /// thread of its own, what stands for it and knows that.
  IBaseLinkableComponent& Runner() const {
    return loaded.component != nullptr && thread == nullptr ? *loaded.component
                                                            : static_cast<IBaseLinkableComponent&>(*host);
  }
  bool IsThere() const { return loaded.component != nullptr; }
  /// Whether its family is disengaged: it was there, and is to come back.
  bool IsFrozen() const { return loaded.component == nullptr && host != nullptr; }
  /// Whether it is not called at present: frozen, or held after a failure.
  bool IsOut() const { return host != nullptr && (loaded.component == nullptr || host->IsHeld()); }
  /// Notes an argument that an operator changed, or that was set when its family came back: it belongs to checkpoints,
  /// so that a run that is resumed makes the component with it.
  void Change(const std::string& key, const std::string& value);
  /// Takes a component that was loaded and initialized up.
  void Attach(LoadedComponent component);
  /// Takes the component out, for whoever is to destroy it. Stand-ins and link ends are detached before.
  LoadedComponent Detach();
  /// The stand-in for one of the component's outputs, made when first asked for.
  StandIn& StandInFor(ITimeSpaceOutput& output);
  /// The end of the last step (UTC): asked of the component, or read off its outputs; the far past if nothing tells.
  Stamp CurrentTime() const;
  /// The end of the next step (UTC); the present time where the component does not tell.
  Stamp NextTime() const;
};

}  // namespace openmi
