#pragma once

#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// An input with times and places: they are the question it puts to its provider.
///
/// Source: OGC 11-014r3, requirement 9.6 (/req/exchange-item/ITimeSpaceInput), table 26.
class ITimeSpaceInput : public virtual ITimeSpaceExchangeItem, public virtual IBaseInput {
 public:
  const ITimeSpaceValueSet* Values() const override = 0;
};

}  // namespace openmi
