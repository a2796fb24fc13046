#include "composition/conformance/Trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "composition/conformance/DefinitionChecks.hpp"
#include "composition/conformance/ValueSetChecks.hpp"
#include "openmi/sdk/Status.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi::conformance {
namespace {

using S = LinkableComponentStatus;

void SetIfEmpty(IBaseLinkableComponent& component, const char* id, const std::string& text) {
  if (text.empty()) return;
  for (IArgument* argument : component.Arguments()) {
    if (argument == nullptr || argument->Id() != id || argument->IsReadOnly()) continue;
    if (!argument->ValueAsString().empty()) continue;
    argument->SetValueAsString(text);
  }
}

}  // namespace

bool IsStatus(LinkableComponentStatus status) {
  return static_cast<int>(status) >= 0 && static_cast<int>(status) <= static_cast<int>(S::Failed);
}

std::string StatusText(LinkableComponentStatus status) {
  return IsStatus(status) ? NameOf(status) : fmt::format("number {}", static_cast<int>(status));
}

Trial::Trial(const Subject& subject) : subject_(subject), loaded_(subject.make()) {}

Trial::~Trial() {
  // Finish the component as far as it allows: it may have files open.
  try {
    switch (Status()) {
      case S::Updated:
      case S::Done:
      case S::WaitingForData:
      case S::Failed:
        Unlink();
        Component().Finish();
        break;
      default:
        break;
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): failures were reported where they were tested
  }
}

void Trial::SetTimes() {
  SetIfEmpty(Component(), "start-time", subject_.begin);
  SetIfEmpty(Component(), "end-time", subject_.end);
}

void Trial::FeedInputs(Findings* findings) {
  for (IBaseInput* input : inputs_) {
    if (input->Provider() != nullptr) continue;
    feeds_.emplace_back(*input, findings, subject_.options.core_values);
    feeds_.back().Link();
  }
}

void Trial::TakeItems() {
  inputs_.clear();
  outputs_.clear();
  std::ranges::copy_if(Component().Inputs(), std::back_inserter(inputs_), [](auto* input) { return input != nullptr; });
  std::ranges::copy_if(Component().Outputs(), std::back_inserter(outputs_), [](auto* item) { return item != nullptr; });
}

void Trial::Begin() {
  SetTimes();
  Component().Initialize();
  TakeItems();
  FeedInputs(nullptr);
}

void Trial::Start() {
  Begin();
  static_cast<void>(Component().Validate());
  Component().Prepare();
}

void Trial::Update(int count) {
  for (int i = 0; i < count && (Status() == S::Updated || Status() == S::WaitingForData); ++i) Component().Update({});
}

void Trial::Unlink() {
  for (Feed& feed : feeds_) feed.Unlink();
  std::ranges::move(feeds_, std::back_inserter(old_feeds_));
  feeds_.clear();
}

Stamp Trial::LatestAsked() const {
  Stamp latest = kFarPast;
  for (const Feed& feed : feeds_) latest = std::max(latest, feed.LatestAsked());
  return latest;
}

Stamp Trial::LatestGiven() const {
  Stamp latest = kFarPast;
  for (const IBaseOutput* output : outputs_) {
    if (const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(output)) {
      latest = std::max(latest, LatestEndOf(item->TimeSet()));
    }
  }
  return latest;
}

std::vector<std::uint64_t> Trial::Fingerprints() const {
  std::vector<std::uint64_t> prints;
  for (const IBaseOutput* output : outputs_) prints.push_back(FingerprintOf(*output));
  return prints;
}

}  // namespace openmi::conformance
