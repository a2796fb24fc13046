#pragma once

#include <string>

#include "openmi/standard/LinkableComponentStatus.hpp"

namespace openmi {

class IBaseLinkableComponent;

/// What a handler of `StatusChanged` receives.
///
/// Source: OGC 11-014r3, requirement 8.3 (/req/linkable-component-status/EventStatusChanged), table 21.
struct LinkableComponentStatusChangeEventArgs {
  IBaseLinkableComponent* linkable_component = nullptr;  ///< the component whose status changed
  std::string message;                                   ///< text for people; may be empty
  LinkableComponentStatus new_status = LinkableComponentStatus::Created;
  LinkableComponentStatus old_status = LinkableComponentStatus::Created;
};

}  // namespace openmi
