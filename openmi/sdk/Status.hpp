#pragma once

#include <initializer_list>
#include <string>

#include "openmi/sdk/Event.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "openmi/standard/LinkableComponentStatusChangeEventArgs.hpp"

namespace openmi {

/// "Created", "Initializing", ...
const char* NameOf(LinkableComponentStatus status);

/// Whether a component may go from `from` to `to`: the table of all legal arrows.
/// Source: OGC 11-014r3, requirement 8.2 (/req/linkable-component-status/LinkableComponentBehaviour), figure 10.
bool IsLegalTransition(LinkableComponentStatus from, LinkableComponentStatus to);

/// The status of one component: walks through the table and tells the listeners.
class StatusMachine {
 public:
  /// \param component  whose status this is; borrowed, must outlive the machine
  explicit StatusMachine(IBaseLinkableComponent& component) : component_(component) {}

  LinkableComponentStatus Status() const { return status_; }
  Event<LinkableComponentStatusChangeEventArgs>& Changed() { return changed_; }

  /// \throws StateError  the arrow is not in the table
  void Move(LinkableComponentStatus to, const std::string& message = {});

  /// \throws StateError  the status is none of `allowed`; names the call, the status and those allowed
  void Require(const char* call, std::initializer_list<LinkableComponentStatus> allowed) const;

 private:
  IBaseLinkableComponent& component_;
  LinkableComponentStatus status_ = LinkableComponentStatus::Created;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
};

}  // namespace openmi
