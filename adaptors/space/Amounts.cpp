#include "adaptors/space/Amounts.hpp"

#include <initializer_list>

namespace openmi {

bool IsAmount(const IDimension& dimension) {
  const double length = dimension.GetPower(DimensionBase::Length);
  const double mass = dimension.GetPower(DimensionBase::Mass);
  const double time = dimension.GetPower(DimensionBase::Time);
  const double substance = dimension.GetPower(DimensionBase::AmountOfSubstance);
  for (const DimensionBase base : {DimensionBase::ElectricCurrent, DimensionBase::Temperature,
                                   DimensionBase::LuminousIntensity, DimensionBase::Currency}) {
    if (dimension.GetPower(base) != 0.0) return false;
  }
  const bool plain = time == 0.0 || time == -1.0;
  const bool volume = length == 3.0 && mass == 0.0 && substance == 0.0 && plain;
  const bool weight = length == 0.0 && mass == 1.0 && substance == 0.0 && plain;
  const bool moles = length == 0.0 && mass == 0.0 && substance == 1.0 && plain;
  const bool energy = length == 2.0 && mass == 1.0 && substance == 0.0 && (time == -2.0 || time == -3.0);
  return volume || weight || moles || energy;
}

}  // namespace openmi
