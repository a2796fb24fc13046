#pragma once

#include <array>
#include <string>

#include "fmi-bridge/common/description/UnitDefinition.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::described {

/// The base dimensions of UnitDefinition::exponents except the radian: kg m s A K mol cd.
inline constexpr std::array kExponentBases = {DimensionBase::Mass,
                                              DimensionBase::Length,
                                              DimensionBase::Time,
                                              DimensionBase::ElectricCurrent,
                                              DimensionBase::Temperature,
                                              DimensionBase::AmountOfSubstance,
                                              DimensionBase::LuminousIntensity};

/// The unit of the SDK for a unit that a description defines.
struct DescribedUnit {
  Unit unit;
  bool is_known = true;  ///< whether the dimension is certain; if not, the unit has factor 1 and no dimension
  std::string note;      ///< hint for users; may be empty
};

/// Converts a unit definition.
///
/// By its BaseUnit; without one by the meaning of its name in UDUNITS-2; else the unit is unknown. The radian has no
/// dimension. A relative quantity has no offset.
DescribedUnit UnitOf(const UnitDefinition& definition, bool is_relative = false);

}  // namespace openmi::described
