#pragma once

#include "openmi/standard/IBaseExchangeItem.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITimeSet.hpp"

namespace openmi {

/// An exchange item with times and places.
///
/// Source: OGC 11-014r3, requirement 9.4 (/req/exchange-item/ITimeSpaceExchangeItem), table 24.
class ITimeSpaceExchangeItem : public virtual IBaseExchangeItem {
 public:
  /// The places of the values; null when the values have no place.
  virtual const ISpatialDefinition* SpatialDefinition() const = 0;

  /// The times of the values; null when the values do not depend on time.
  virtual const ITimeSet* TimeSet() const = 0;
};

}  // namespace openmi
