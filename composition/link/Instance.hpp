#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/ComponentProxy.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi {

/// Abandons a component that called exit. What it holds is in an unknown state, so neither it nor its library is called
/// again, not even to be destroyed.
/// \param loaded  empty afterwards
void AbandonComponent(LoadedComponent& loaded);

/// One component of a composition: its specification in the file, the component itself, and the engine's proxies of its
/// outputs.
struct Instance {
  const ComponentSpec* spec = nullptr;
  OmiFile omi;                           ///< empty path: the composition names type and assembly itself
  std::unique_ptr<Conduct> conduct;      ///< what the component did to the process; not null once it is loaded
  std::unique_ptr<ComponentProxy> host;  ///< the owner that the engine's own items name
  LoadedComponent loaded;                ///< code before objects: the library is released last
  std::vector<OmiArgument> changed;      ///< arguments that are no longer as the files state; see Change
  std::vector<std::string>
      secrets;  ///< keys of arguments whose values must not be shown; kept while the component is out
  FamilyThread* thread = nullptr;                               ///< where its code has to run; null: any thread
  ISteps* steps = nullptr;                                      ///< null: the component does not implement ISteps
  IBalance* balance = nullptr;                                  ///< null: the component does not state its storage
  std::map<std::string, std::unique_ptr<OutputProxy>> proxies;  ///< by the output's id; destroyed before the component

  const std::string& Id() const { return spec->id; }
  /// The component; while its family is disengaged, its proxy.
  IBaseLinkableComponent& Component() const {
    return loaded.component != nullptr ? *loaded.component : static_cast<IBaseLinkableComponent&>(*host);
  }
  /// What the engine calls to initialize, validate, prepare, update and finish the component: the component itself, or
  /// its proxy where its code has to run on its own thread.
  IBaseLinkableComponent& Runner() const {
    return loaded.component != nullptr && thread == nullptr ? *loaded.component
                                                            : static_cast<IBaseLinkableComponent&>(*host);
  }
  bool IsThere() const { return loaded.component != nullptr; }
  /// Calls the component where its code has to run, and waits for the end.
  /// \throws  what `work` throws
  void RunWork(const std::function<void()>& work) const;
  /// Whether its family is disengaged: the component was there, and may come back.
  bool IsFrozen() const { return loaded.component == nullptr && host != nullptr; }
  /// Whether it is not called at present: its family is disengaged, or it is held after a failure.
  bool IsOut() const { return host != nullptr && (loaded.component == nullptr || host->IsHeld()); }
  /// Records an argument that an operator changed, or that was set when its family came back. Checkpoints contain it,
  /// so that a resumed run makes the component with it.
  void Change(const std::string& key, const std::string& value);
  /// Takes over a component that was loaded and initialized.
  void Attach(LoadedComponent component);
  /// Takes the component out, for the caller to destroy. Output and input proxies are detached before.
  LoadedComponent Detach();
  /// The proxy of one of the component's outputs, made at the first call.
  OutputProxy& ProxyFor(ITimeSpaceOutput& output);
  /// The end of the last step (UTC): from the component (ISteps), or from the times of its outputs; the far past if
  /// neither is known.
  Stamp CurrentTime() const;
  /// The end of the next step (UTC); the present time if the component does not report it.
  Stamp NextTime() const;
  /// Updates the component, step by step, until it has reached `time` (UTC) or does not go on.
  /// \throws Error, std::exception  the component's own
  void CatchUp(Stamp time);
};

}  // namespace openmi
