#pragma once

#include "openmi/standard/IUnit.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

/// A value definition in numbers with a unit.
///
/// Source: OGC 11-014r3, requirement 3.3 (/req/value-definition/IQuantity), table 6.
class IQuantity : public virtual IValueDefinition {
 public:
  /// The unit of the values. Lives as long as the quantity.
  virtual const IUnit& Unit() const = 0;
};

}  // namespace openmi
