#pragma once

#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/IDimension.hpp"

namespace openmi {

/// A unit of measurement: SI value = A * value + B.
///
/// Source: OGC 11-014r3, requirement 3.2 (/req/value-definition/IUnit), table 5.
class IUnit : public virtual IDescribable {
 public:
  /// The factor A; finite and not 0.
  virtual double ConversionFactorToSI() const = 0;

  /// The dimension. Lives as long as the unit.
  virtual const IDimension& Dimension() const = 0;

  /// The offset B, in the SI unit.
  virtual double OffSetToSI() const = 0;
};

}  // namespace openmi
