#include "fmi-bridge/common/description/DescribedUnit.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::described {

DescribedUnit UnitOf(const UnitDefinition& definition, bool is_relative) {
  if (definition.has_base) {
    std::array<double, kDimensionBaseCount> powers{};
    for (std::size_t i = 0; i < kExponentBases.size(); ++i) {
      powers[static_cast<std::size_t>(kExponentBases[i])] = definition.exponents[i];
    }
    return {
        Unit(definition.name, definition.factor, is_relative ? 0.0 : definition.offset, Dimension(powers)), true, {}};
  }
  try {
    const Unit known = Unit::Parse(definition.name);
    const double offset = is_relative ? 0.0 : known.OffSetToSI();
    return {Unit(definition.name, known.ConversionFactorToSI(), offset, known.Dimension()), true,
            fmt::format("unit {} has no BaseUnit; read by its name as UDUNITS-2 does", Quoted(definition.name))};
  } catch (const UnitError&) {
    return {Unit(definition.name, 1.0, 0.0, Dimension()), false,
            fmt::format("unit {} has no BaseUnit and no name that UDUNITS-2 knows; its dimension is unknown",
                        Quoted(definition.name))};
  }
}

}  // namespace openmi::described
