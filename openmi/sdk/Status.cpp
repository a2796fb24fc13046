#include "openmi/sdk/Status.hpp"

#include <fmt/format.h>

#include <array>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

constexpr std::size_t kCount = 14;
constexpr std::array<const char*, kCount> kNames = {
    "Created",   "Initializing", "Initialized", "Validating", "Valid",     "WaitingForData", "Invalid",
    "Preparing", "Updating",     "Updated",     "Done",       "Finishing", "Finished",       "Failed"};

}  // namespace

const char* NameOf(LinkableComponentStatus status) {
  return kNames.at(static_cast<std::size_t>(status));
}

void StatusMachine::Move(LinkableComponentStatus to, const std::string& message) {
  if (!IsLegalTransition(status_, to)) {
    throw StateError({.component = component_.Caption()},
                     fmt::format("expected a status that can follow {}, found {}", NameOf(status_), NameOf(to)));
  }
  const LinkableComponentStatus old = status_;
  status_ = to;
  if (changed_.HasHandlers()) changed_.Raise({&component_, message, to, old});
}

void StatusMachine::ThrowRequired(const char* call, std::initializer_list<LinkableComponentStatus> allowed) const {
  std::string names;
  for (LinkableComponentStatus state : allowed) names += (names.empty() ? "" : " or ") + std::string(NameOf(state));
  throw StateError({.component = component_.Caption()},
                   fmt::format("{} expected status {}, found {}", call, names, NameOf(status_)),
                   "call Initialize, Validate, Prepare, Update and Finish in this order");
}

}  // namespace openmi
