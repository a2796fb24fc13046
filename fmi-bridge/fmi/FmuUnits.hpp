#pragma once

#include <string>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::fmi {

/// A unit of an FMU in our terms.
struct FmuUnit {
  Unit unit;
  bool is_known = true;  ///< the dimension is certain; when not, the unit has factor 1 and no dimension
  std::string note;      ///< what a user should know; may be empty
};

/// The unit of a variable's values: by its BaseUnit; without one, by what UDUNITS-2 makes of its name; else unknown.
/// The radian has no dimension. A relative quantity has no offset. Without a unit it is dimensionless.
FmuUnit UnitOf(const ModelDescription& description, const Variable& variable);

/// The same of a definition.
FmuUnit UnitOf(const UnitDefinition& definition, bool is_relative = false);

}  // namespace openmi::fmi
