#pragma once

#include <array>
#include <string>

#include "fmi-bridge/description/UnitDefinition.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::described {

/// The base dimensions of UnitDefinition::exponents but the radian: kg m s A K mol cd.
inline constexpr std::array kExponentBases = {DimensionBase::Mass,
                                              DimensionBase::Length,
                                              DimensionBase::Time,
                                              DimensionBase::ElectricCurrent,
                                              DimensionBase::Temperature,
                                              DimensionBase::AmountOfSubstance,
                                              DimensionBase::LuminousIntensity};

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
