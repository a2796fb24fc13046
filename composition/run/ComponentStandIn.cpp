#include "composition/run/ComponentStandIn.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi {

void ComponentStandIn::Attach(IBaseLinkableComponent& component, const ISteps* steps) {
  component_ = &component;
  is_held_ = false;
  failure_.clear();
  steps_ = steps;
  id_ = component.Id();
  description_ = component.Description();
}

void ComponentStandIn::Hold(const std::string& failure) {
  if (is_held_) return;
  is_held_ = true;
  failure_ = failure;
  if (held_ != nullptr) held_->fetch_add(1);
}

void ComponentStandIn::Detach(Stamp now, Stamp next) {
  steps_count_ = StepCount();
  now_ = now;
  next_ = next;
  component_ = nullptr;
  steps_ = nullptr;
  no_factories_.clear();
}

IBaseLinkableComponent& ComponentStandIn::Need(const char* call) const {
  if (component_ != nullptr) return *component_;
  throw StateError({.component = Caption()}, fmt::format("expected an engaged component for {}, found none", call),
                   "engage its family first");
}

std::string ComponentStandIn::Description() const {
  return component_ != nullptr ? component_->Description() : description_;
}
std::vector<IAdaptedOutputFactory*>& ComponentStandIn::AdaptedOutputFactories() {
  return component_ != nullptr ? component_->AdaptedOutputFactories() : no_factories_;
}
std::span<IArgument* const> ComponentStandIn::Arguments() const {
  return component_ != nullptr ? component_->Arguments() : std::span<IArgument* const>();
}
std::span<IBaseInput* const> ComponentStandIn::Inputs() const {
  return component_ != nullptr ? component_->Inputs() : std::span<IBaseInput* const>();
}
std::span<IBaseOutput* const> ComponentStandIn::Outputs() const {
  return component_ != nullptr ? component_->Outputs() : std::span<IBaseOutput* const>();
}
IEvent<LinkableComponentStatusChangeEventArgs>& ComponentStandIn::StatusChanged() {
  return component_ != nullptr ? component_->StatusChanged() : nobody_raises_;
}
void ComponentStandIn::Initialize() {
  RunOn(thread_, [this] { Need("Initialize").Initialize(); });
}
std::vector<std::string> ComponentStandIn::Validate() {
  std::vector<std::string> messages;
  RunOn(thread_, [&] { messages = Need("Validate").Validate(); });
  return messages;
}
void ComponentStandIn::Prepare() {
  RunOn(thread_, [this] { Need("Prepare").Prepare(); });
}
void ComponentStandIn::Finish() {
  RunOn(thread_, [this] { Need("Finish").Finish(); });
}

}  // namespace openmi
