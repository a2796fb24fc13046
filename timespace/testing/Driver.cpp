#include "timespace/testing/Driver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

Driver::Driver(IBaseLinkableComponent& component) : component_(component), statuses_{component.Status()} {
  subscription_ = component_.StatusChanged().Add([this](const LinkableComponentStatusChangeEventArgs& event) {
    statuses_.push_back(event.new_status);
    std::string text = fmt::format("{} -> {}", NameOf(event.old_status), NameOf(event.new_status));
    if (!event.message.empty()) text += ": " + event.message;
    events_.push_back(std::move(text));
  });
}

Driver::~Driver() {
  component_.StatusChanged().Remove(subscription_);
}

void Driver::ForgetEvents() {
  statuses_.assign(1, component_.Status());
  events_.clear();
}

Driver& Driver::Set(const std::string& key, const std::string& value) {
  std::vector<std::string> ids;
  for (IArgument* argument : component_.Arguments()) {
    if (argument->Id() == key) {
      argument->SetValueAsString(value);
      return *this;
    }
    ids.push_back(argument->Id());
  }
  throw ArgumentError({.component = component_.Caption()}, fmt::format("expected an argument, found '{}'", key),
                      Suggest(key, ids));
}

bool Driver::Validate() {
  messages_ = component_.Validate();
  return component_.Status() == LinkableComponentStatus::Valid;
}

void Driver::Update() {
  ++updates_;
  component_.Update({});
}

Stamp Driver::Now() const {
  if (const auto* steps = dynamic_cast<const ISteps*>(&component_)) return steps->CurrentTime();
  Stamp latest = kFarPast;
  for (const IBaseOutput* output : component_.Outputs()) {
    const auto* item = dynamic_cast<const ITimeSpaceOutput*>(output);
    if (item == nullptr || item->TimeSet() == nullptr || item->TimeSet()->Times().empty()) continue;
    const Days offset = Hours(item->TimeSet()->OffsetFromUtcInHours());
    latest = std::max(latest, EndOf(*item->TimeSet()->Times().back()) - offset);
  }
  return latest;
}

void Driver::UpdateUntil(Stamp time) {
  while (component_.Status() == LinkableComponentStatus::Updated && Before(Now(), time)) {
    const Stamp before = Now();
    Update();
    if (component_.Status() == LinkableComponentStatus::Updated && !Before(before, Now())) {
      throw ModelError(
          {.component = component_.Caption()},
          fmt::format("expected the time to advance in an update, found it still at {}", FormatIsoTime(before)),
          "let the component advance, or end Done");
    }
  }
}

void Driver::UpdateToEnd(int most) {
  const auto waits = [this] { return component_.Status() == LinkableComponentStatus::WaitingForData; };
  for (int i = 0; component_.Status() == LinkableComponentStatus::Updated || waits(); ++i) {
    if (i == most) {
      throw ModelError({.component = component_.Caption()},
                       fmt::format("expected the component to be done within {} updates, found it at {}", most,
                                   FormatIsoTime(Now())),
                       "set the argument end-time");
    }
    const bool has_waited = waits();
    Update();
    if (has_waited && waits()) {
      throw StateError(
          {.component = component_.Caption()},
          fmt::format("expected the component to be done, found that it stays WaitingForData after {} updates",
                      updates_),
          "link its inputs to providers that can give what it asks for");
    }
  }
}

void Driver::Run() {
  Initialize();
  Validate();
  Prepare();
  UpdateToEnd();
  Finish();
}

}  // namespace openmi
