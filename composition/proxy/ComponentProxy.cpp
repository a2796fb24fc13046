#include "composition/proxy/ComponentProxy.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi {

void ComponentProxy::Attach(IBaseLinkableComponent& component, const ISteps* steps) {
  component_ = &component;
  is_held_ = false;
  failure_.clear();
  steps_ = steps;
  id_ = component.Id();
  description_ = component.Description();
}

void ComponentProxy::Hold(const std::string& failure) {
  if (is_held_) return;
  is_held_ = true;
  failure_ = failure;
  if (held_ != nullptr) held_->fetch_add(1);
}

void ComponentProxy::Detach(Stamp now, Stamp next) {
  steps_count_ = StepCount();
  now_ = now;
  next_ = next;
  component_ = nullptr;
  steps_ = nullptr;
  no_factories_.clear();
}

IBaseLinkableComponent& ComponentProxy::Need(const char* call) const {
  if (component_ != nullptr) return *component_;
  throw StateError({.component = Caption()}, fmt::format("expected an engaged component for {}, found none", call),
                   "engage its family first");
}

std::string ComponentProxy::Description() const {
  return component_ != nullptr ? component_->Description() : description_;
}
std::vector<IAdaptedOutputFactory*>& ComponentProxy::AdaptedOutputFactories() {
  return component_ != nullptr ? component_->AdaptedOutputFactories() : no_factories_;
}
std::span<IArgument* const> ComponentProxy::Arguments() const {
  return component_ != nullptr ? component_->Arguments() : std::span<IArgument* const>();
}
std::span<IBaseInput* const> ComponentProxy::Inputs() const {
  return component_ != nullptr ? component_->Inputs() : std::span<IBaseInput* const>();
}
std::span<IBaseOutput* const> ComponentProxy::Outputs() const {
  return component_ != nullptr ? component_->Outputs() : std::span<IBaseOutput* const>();
}
IEvent<LinkableComponentStatusChangeEventArgs>& ComponentProxy::StatusChanged() {
  return component_ != nullptr ? component_->StatusChanged() : nobody_raises_;
}
void ComponentProxy::Initialize() {
  RunOn(thread_, [this] { Need("Initialize").Initialize(); });
}
std::vector<std::string> ComponentProxy::Validate() {
  std::vector<std::string> messages;
  RunOn(thread_, [&] { messages = Need("Validate").Validate(); });
  return messages;
}
void ComponentProxy::Prepare() {
  RunOn(thread_, [this] { Need("Prepare").Prepare(); });
}
void ComponentProxy::Finish() {
  RunOn(thread_, [this] { Need("Finish").Finish(); });
}

}  // namespace openmi
