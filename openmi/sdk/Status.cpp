#include "openmi/sdk/Status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

using S = LinkableComponentStatus;
constexpr std::size_t kCount = 14;
constexpr std::array<const char*, kCount> kNames = {
    "Created",   "Initializing", "Initialized", "Validating", "Valid",     "WaitingForData", "Invalid",
    "Preparing", "Updating",     "Updated",     "Done",       "Finishing", "Finished",       "Failed"};

constexpr std::uint32_t Set(std::initializer_list<S> states) {
  std::uint32_t bits = 0;
  for (S state : states) bits |= 1u << static_cast<unsigned>(state);
  return bits;
}

constexpr auto kSuccessors = [] {
  std::array<std::uint32_t, kCount> table{};
  const auto row = [&table](S from, std::initializer_list<S> to) { table[static_cast<std::size_t>(from)] = Set(to); };
  row(S::Created, {S::Initializing});
  row(S::Initializing, {S::Initialized, S::Failed});
  row(S::Initialized, {S::Validating, S::Preparing, S::Finishing});
  row(S::Validating, {S::Valid, S::Invalid, S::Failed});
  row(S::Valid, {S::Validating, S::Preparing, S::Finishing});
  row(S::Invalid, {S::Validating, S::Finishing});
  row(S::Preparing, {S::Updated, S::Failed});
  row(S::Updated, {S::Updating, S::WaitingForData, S::Finishing, S::Failed});
  row(S::Updating, {S::Updated, S::Done, S::WaitingForData, S::Failed});
  row(S::WaitingForData, {S::Updating, S::Finishing, S::Failed});
  row(S::Done, {S::Updated, S::Finishing, S::Failed});  // back to Updated: a state was restored
  row(S::Finishing, {S::Finished, S::Created, S::Failed});
  row(S::Finished, {});
  row(S::Failed, {S::Finishing, S::Updated});  // back to Updated: a state was restored
  return table;
}();

}  // namespace

const char* NameOf(LinkableComponentStatus status) { return kNames.at(static_cast<std::size_t>(status)); }

bool IsLegalTransition(LinkableComponentStatus from, LinkableComponentStatus to) {
  return (kSuccessors.at(static_cast<std::size_t>(from)) >> static_cast<unsigned>(to) & 1u) != 0;
}

void StatusMachine::Move(LinkableComponentStatus to, const std::string& message) {
  if (!IsLegalTransition(status_, to)) {
    throw StateError({.component = component_.Caption()},
                     fmt::format("expected a status that can follow {}, found {}", NameOf(status_), NameOf(to)));
  }
  const S old = status_;
  status_ = to;
  if (changed_.HasHandlers()) changed_.Raise({&component_, message, to, old});
}

void StatusMachine::Require(const char* call, std::initializer_list<LinkableComponentStatus> allowed) const {
  if (std::ranges::find(allowed, status_) != allowed.end()) return;
  std::string names;
  for (S state : allowed) names += (names.empty() ? "" : " or ") + std::string(NameOf(state));
  throw StateError({.component = component_.Caption()},
                   fmt::format("{} expected status {}, found {}", call, names, NameOf(status_)),
                   "call Initialize, Validate, Prepare, Update and Finish in this order");
}

}  // namespace openmi
