#include "openmi/sdk/OutputOf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/StackGuard.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

Where PlaceOf(const IBaseOutput& output) {
  return {.component = output.Component() ? output.Component()->Caption() : std::string(), .item = output.Id()};
}

}  // namespace

namespace detail {

void ConsumerLists::AddConsumer(IBaseOutput& self, IBaseInput& consumer) {
  if (consumer.Provider() != nullptr) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected input '{}' to be free, found it linked to '{}'", consumer.Id(),
                                consumer.Provider()->Id()),
                    "remove the other link first");
  }
  consumers_.push_back(&consumer);
  consumer.SetProvider(&self);
}

void ConsumerLists::RemoveConsumer(IBaseOutput& self, IBaseInput& consumer) {
  if (!consumers_.RemoveLast([&consumer](const IBaseInput* one) { return one == &consumer; })) {
    throw LinkError(PlaceOf(self), fmt::format("expected a registered consumer, found '{}'", consumer.Id()));
  }
  consumer.SetProvider(nullptr);
}

void ConsumerLists::AddAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output) {
  if (&adapted_output.Adaptee() != &self) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected an adapted output of this output, found '{}' which adapts '{}'",
                                adapted_output.Id(), adapted_output.Adaptee().Id()));
  }
  if (std::ranges::find(adapted_outputs_, &adapted_output) != adapted_outputs_.end()) return;
  adapted_outputs_.push_back(&adapted_output);
}

void ConsumerLists::RemoveAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output) {
  if (!adapted_outputs_.RemoveLast([&](const IBaseAdaptedOutput* one) { return one == &adapted_output; })) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected a registered adapted output, found '{}'", adapted_output.Id()));
  }
}

}  // namespace detail

const IBaseValueSet& BaseOutput::GetValues(const IBaseExchangeItem&) {
  GuardStack();
  return *values_;
}

void BaseOutput::Publish() {
  RaiseItemChanged("values");
  RefreshAdaptedOutputs();
}

}  // namespace openmi
