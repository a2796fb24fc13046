#pragma once

#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// What the values of an exchange item mean.
///
/// An item never returns a bare IValueDefinition. It returns an IQuantity, an IQuality or a subtype that a project
/// defines.
///
/// Source: OGC 11-014r3, requirement 3.1 (/req/value-definition/IValueDefinition), table 4.
class IValueDefinition : public virtual IDescribable {
 public:
  /// The value that means "no data".
  virtual Value MissingDataValue() const = 0;

  /// The type of each value in the item's value sets.
  virtual openmi::ValueType ValueType() const = 0;
};

}  // namespace openmi
