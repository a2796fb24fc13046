#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "openmi/sdk/Event.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "openmi/standard/LinkableComponentStatusChangeEventArgs.hpp"

namespace openmi {

/// The name of a status: "Created", "Initializing", ...
const char* NameOf(LinkableComponentStatus status);

namespace detail {
/// For each status, by its number: the set of statuses that can follow, as bits.
inline constexpr auto kStatusSuccessors = [] {
  using S = LinkableComponentStatus;
  std::array<std::uint32_t, 14> table{};
  const auto row = [&table](S from, std::initializer_list<S> to) {
    for (S state : to) table[static_cast<std::size_t>(from)] |= 1u << static_cast<unsigned>(state);
  };
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
}  // namespace detail

/// Whether a component may change from status `from` to status `to`.
///
/// Source: OGC 11-014r3, requirement 8.2 (/req/linkable-component-status/LinkableComponentBehaviour), figure 10.
constexpr bool IsLegalTransition(LinkableComponentStatus from, LinkableComponentStatus to) {
  return (detail::kStatusSuccessors[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1u) != 0;
}

/// The status of one component. It allows only legal transitions and notifies the handlers.
class StatusMachine {
 public:
  /// \param component  the component that has this status; borrowed, must outlive the machine
  explicit StatusMachine(IBaseLinkableComponent& component) : component_(component) {}

  /// The present status; at first Created.
  LinkableComponentStatus Status() const { return status_; }
  /// The event that each transition raises.
  Event<LinkableComponentStatusChangeEventArgs>& Changed() { return changed_; }

  /// Changes the status and notifies the handlers.
  /// \throws StateError  the transition is not legal
  [[gnu::always_inline]] void Move(LinkableComponentStatus to) {  // twice in each step; the table is folded
    if (!IsLegalTransition(status_, to) || changed_.HasHandlers()) [[unlikely]] {
      Move(to, {});
    } else {
      status_ = to;
    }
  }
  /// As above.
  /// \param message  the text of the event
  void Move(LinkableComponentStatus to, const std::string& message);

  /// Checks the status before a call.
  /// \param call     the name of the call, for the message
  /// \param allowed  the statuses that allow it
  /// \throws StateError  the status is none of `allowed`; names the call, the status and the allowed ones
  void Require(const char* call, std::initializer_list<LinkableComponentStatus> allowed) const {
    for (LinkableComponentStatus state : allowed) {
      if (state == status_) return;
    }
    ThrowRequired(call, allowed);
  }

 private:
  [[noreturn]] void ThrowRequired(const char* call, std::initializer_list<LinkableComponentStatus> allowed) const;
  IBaseLinkableComponent& component_;
  LinkableComponentStatus status_ = LinkableComponentStatus::Created;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
};

}  // namespace openmi
