#pragma once

#include "openmi/standard/DimensionBase.hpp"

namespace openmi {

/// The dimension of a unit, as powers of the base dimensions.
///
/// Source: OGC 11-014r3, requirement 3.6 (/req/value-definition/IDimension), table 9.
class IDimension {
 public:
  virtual ~IDimension() = default;

  /// The power of `base`; 0 for a base that the dimension does not use.
  ///
  /// For m3/s: Length 3, Time -1, all others 0.
  virtual double GetPower(DimensionBase base) const = 0;
};

}  // namespace openmi
