#pragma once

#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/standard/ITimeExtension.hpp"

namespace openmi {

/// A component with times and places.
///
/// Source: OGC 11-014r3, requirement 12.2 (/req/linkable-component/ITimeSpaceComponent), table 34.
class ITimeSpaceComponent : public virtual IBaseLinkableComponent, public virtual ITimeExtension {};

}  // namespace openmi
