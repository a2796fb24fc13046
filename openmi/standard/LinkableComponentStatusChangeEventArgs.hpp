#pragma once

#include <string>

#include "openmi/standard/LinkableComponentStatus.hpp"

namespace openmi {

class IBaseLinkableComponent;

/// What a listener of StatusChanged is told.
///
/// Source: OGC 11-014r3, requirement 8.3 (/req/linkable-component-status/EventStatusChanged), table 21.
struct LinkableComponentStatusChangeEventArgs {
  IBaseLinkableComponent* linkable_component = nullptr;  ///< whose status changed
  std::string message;                                   ///< empty if there is nothing to say
  LinkableComponentStatus new_status = LinkableComponentStatus::Created;
  LinkableComponentStatus old_status = LinkableComponentStatus::Created;
};

}  // namespace openmi
