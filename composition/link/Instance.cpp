#include "composition/link/Instance.hpp"

#include <algorithm>
#include <utility>

#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

void AbandonComponent(LoadedComponent& loaded) {
  static_cast<void>(loaded.component.release());
  static_cast<void>(new std::shared_ptr<SharedLibrary>(std::move(loaded.library)));  // stays open
}

void Instance::Attach(LoadedComponent component) {
  if (host == nullptr) host = std::make_unique<ComponentProxy>(Id());
  host->SetThread(thread);
  host->SetConduct(conduct.get());
  loaded = std::move(component);
  steps = dynamic_cast<ISteps*>(loaded.component.get());
  balance = dynamic_cast<IBalance*>(loaded.component.get());
  host->Attach(*loaded.component, steps);
  secrets.clear();
  for (const IArgument* argument : loaded.component->Arguments()) {
    if (IsSecret(*argument)) secrets.push_back(argument->Id());
  }
}

void Instance::RunWork(const std::function<void()>& work) const {
  RunOn(thread, work);
}

void Instance::Change(const std::string& key, const std::string& value) {
  const auto found = std::ranges::find(changed, key, &OmiArgument::key);
  if (found != changed.end()) {
    found->value = value;
  } else {
    changed.push_back({.key = key, .value = value});
  }
}

LoadedComponent Instance::Detach() {
  host->Detach(CurrentTime(), NextTime());
  steps = nullptr;
  balance = nullptr;
  return std::exchange(loaded, LoadedComponent());
}

OutputProxy& Instance::ProxyFor(ITimeSpaceOutput& output) {
  std::unique_ptr<OutputProxy>& proxy = proxies[output.Id()];
  if (!proxy) proxy = std::make_unique<OutputProxy>(output, host.get());
  return *proxy;
}

Stamp Instance::CurrentTime() const {
  if (steps != nullptr) return steps->CurrentTime();
  if (IsFrozen()) return host->CurrentTime();
  Stamp latest = kFarPast;
  for (IBaseOutput* output : Component().Outputs()) {
    const auto* item = dynamic_cast<const ITimeSpaceOutput*>(output);
    const ITimeSet* times = item != nullptr ? item->TimeSet() : nullptr;
    if (times != nullptr) latest = std::max(latest, LastEndOf(*times));
  }
  return latest;
}

Stamp Instance::NextTime() const {
  if (IsFrozen()) return host->NextTime();
  return steps != nullptr ? steps->NextTime() : CurrentTime();
}

void Instance::CatchUp(Stamp time) {
  for (Stamp now = CurrentTime(); now != kFarPast && Before(now, time);) {
    if (Component().Status() != LinkableComponentStatus::Updated) return;
    CallComponent(*conduct, [this] { Runner().Update({}); });
    const Stamp before = std::exchange(now, CurrentTime());
    if (!Before(before, now)) return;
  }
}

}  // namespace openmi
