#pragma once

#include "fmi-bridge/common/description/DescribedUnit.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The unit of the values of a variable, as the description defines it; dimensionless if the variable names none.
described::DescribedUnit UnitOf(const ModelDescription& description, const Variable& variable);

}  // namespace openmi::fmi
