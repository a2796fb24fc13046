#pragma once

#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// An input with times and places. They are the query to its provider.
///
/// Source: OGC 11-014r3, requirement 9.6 (/req/exchange-item/ITimeSpaceInput), table 26.
class ITimeSpaceInput : public virtual ITimeSpaceExchangeItem, public virtual IBaseInput {
 public:
  /// The values that the input received last, by time and element; null before the first.
  const ITimeSpaceValueSet* Values() const override = 0;
};

}  // namespace openmi
