#pragma once

#include "fmi-bridge/description/DescribedUnit.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The unit of a variable's values: as the description defines it; dimensionless where it names none.
described::DescribedUnit UnitOf(const ModelDescription& description, const Variable& variable);

}  // namespace openmi::fmi
