#pragma once

#include <string>

#include "fmi-bridge/description/UnitDefinition.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::described {

/// A unit that a description defines, in our terms.
struct DescribedUnit {
  Unit unit;
  bool is_known = true;  ///< the dimension is certain; when not, the unit has factor 1 and no dimension
  std::string note;      ///< what a user should know; may be empty
};

/// By its BaseUnit; without one, by what UDUNITS-2 makes of its name; else unknown. The radian has no dimension. A
/// relative quantity has no offset.
DescribedUnit UnitOf(const UnitDefinition& definition, bool is_relative = false);

}  // namespace openmi::described
