#pragma once

#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// An adapted output with times and places.
///
/// Source: OGC 11-014r3, requirement 10.2 (/req/adapted-output/ITimeSpaceAdaptedOutput), table 29.
class ITimeSpaceAdaptedOutput : public virtual IBaseAdaptedOutput, public virtual ITimeSpaceOutput {};

}  // namespace openmi
