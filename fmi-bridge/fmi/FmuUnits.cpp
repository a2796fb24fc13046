#include "fmi-bridge/fmi/FmuUnits.hpp"

namespace openmi::fmi {

described::DescribedUnit UnitOf(const ModelDescription& description, const Variable& variable) {
  const UnitDefinition* definition = description.UnitOf(variable);
  if (definition == nullptr) return {Unit("1", 1.0, 0.0, Dimension()), true, {}};
  return described::UnitOf(*definition, variable.attributes.relative_quantity);
}

}  // namespace openmi::fmi
