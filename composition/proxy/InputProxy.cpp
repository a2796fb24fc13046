#include "composition/proxy/InputProxy.hpp"

#include <fmt/format.h>

#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

LinkInput::LinkInput(ITimeSpaceInput& input, IBaseLinkableComponent* component)
    : InputOf(input.Id(), nullptr, component != nullptr ? component : input.Component()), input_(&input) {
  Follow(input);
}

void LinkInput::Follow(ITimeSpaceInput& input) {
  input_ = &input;
  demand_ = dynamic_cast<const IDemand*>(&input);
}

Stamp LinkInput::EarliestNeeded() const {
  if (is_idle_) return kFarFuture;
  if (demand_ != nullptr) return demand_->EarliestNeeded();
  const ITimeSet* times = input_->TimeSet();
  return times != nullptr ? HorizonBeginOf(*times) : kFarFuture;
}

InputProxy::InputProxy(ITimeSpaceOutput& source, ITimeSpaceInput& input, IBaseLinkableComponent* component)
    : OutputOf(source.Id(), nullptr, source.Component()),
      source_(source),
      input_(&input),
      consumer_(input, component),
      delivered_(source.ValueDefinition().ValueType().kind) {
  source_.AddConsumer(consumer_);
  try {
    AddConsumer(input);
  } catch (...) {
    source_.RemoveConsumer(consumer_);
    throw;
  }
}

InputProxy::~InputProxy() {
  if (frozen_ == nullptr) RemoveConsumer(*input_);
  source_.RemoveConsumer(consumer_);
}

template <class E>
void InputProxy::ThrowHere(const E& error) const {
  if (spec_ == nullptr || !error.Place().file.empty()) throw;  // a link further upstream is named
  throw E({.file = file_->string(), .line = spec_->line, .component = fmt::format("link {}", spec_->Text())},
          error.Problem(), error.Remedy());
}

template void InputProxy::ThrowHere(const LinkError&) const;
template void InputProxy::ThrowHere(const RangeError&) const;

const ITimeSpaceValueSet& InputProxy::Values() const {
  return fixed_.empty() ? source_.Values() : delivered_;
}

const ITimeSpaceValueSet* InputProxy::Received() {
  const openmi::ITimeSet* asked = consumer_.TimeSet();
  if (input_->Values() != nullptr || consumer_.ReadsRows() || asked == nullptr || asked->Times().empty()) {
    return input_->Values();
  }
  const ITimeSpaceValueSet* values = nullptr;
  consumer_.SetHeard(true);
  try {
    values = &Ask();  // the row is there, so that no component makes a step
  } catch (const Error&) {
  }
  consumer_.SetHeard(false);
  return values;
}

void InputProxy::SetOverride(std::span<const double> row) {
  const Where place{.component = consumer_.Component() != nullptr ? consumer_.Component()->Caption() : std::string(),
                    .item = consumer_.Id()};
  RequireNumbers(consumer_.ValueDefinition(), place, "override an input of numbers");
  const ISpatialDefinition* where = consumer_.SpatialDefinition();
  const std::size_t elements = where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : 1;
  if (row.size() != elements || row.empty()) {
    throw RangeError(place,
                     fmt::format("expected {} value{}, found {}", elements, elements == 1 ? "" : "s", row.size()),
                     "give one value for each element of the input");
  }
  fixed_.assign(row.begin(), row.end());
  if (!is_fixed_given_) {  // else the input refers to the row before, until it asks again
    given_ = fixed_;
    delivered_.SetSingle(given_);
  }
  ShowPlain();
}

void InputProxy::FreeOverride() {
  fixed_.clear();
  ShowPlain();
}

const ITimeSpaceValueSet& InputProxy::Delivered() {
  const ITimeSpaceValueSet* given = answer_ != nullptr ? &answer_->Answer() : &Ask();
  if (!fixed_.empty()) {
    const openmi::ITimeSet* asked = consumer_.TimeSet();
    const std::size_t times = asked != nullptr && !asked->Times().empty() ? asked->Times().size() : 1;
    given_ = fixed_;
    if (times == 1) {
      delivered_.SetSingle(given_);
    } else {
      delivered_.Clear();
      for (std::size_t time = 0; time < times; ++time) delivered_.Add(given_);
    }
    given = &delivered_;
    is_fixed_given_ = true;
  } else if (is_fixed_given_) {
    is_fixed_given_ = false;
    ShowPlain();
  }
  if (answer_ == nullptr) NotifyArrival(*given, *consumer_.TimeSet());
  return *given;
}

std::unique_ptr<FrozenInput> InputProxy::Freeze(PlaceCopies& places) const {
  auto shown = std::make_unique<FrozenInput>(*input_, consumer_.Component(), places);
  shown->MoveHorizon(consumer_.EarliestNeeded());
  return shown;
}

void InputProxy::Follow(ITimeSpaceInput& input) {
  source_.RemoveConsumer(consumer_);  // outputs upstream keep what they know about the consumer
  consumer_.Follow(input);
  source_.AddConsumer(consumer_);
}

void InputProxy::SetIdle(bool idle) {
  if (consumer_.IsIdle() == idle) return;
  source_.RemoveConsumer(consumer_);  // outputs upstream keep what they know about the consumer
  consumer_.SetIdle(idle);
  source_.AddConsumer(consumer_);
}

void InputProxy::Detach(std::unique_ptr<FrozenInput> shown) {
  RemoveConsumer(*input_);
  ForgetListeners();
  frozen_ = std::move(shown);
  is_fixed_given_ = false;
  input_ = frozen_.get();
  Follow(*frozen_);
}

std::unique_ptr<FrozenInput> InputProxy::Attach(ITimeSpaceInput& input) {
  RequireSameKind(*frozen_, input);
  AddConsumer(input);
  input_ = &input;
  Follow(input);
  return std::move(frozen_);
}

}  // namespace openmi
