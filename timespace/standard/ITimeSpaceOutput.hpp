#pragma once

#include "openmi/standard/IBaseOutput.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi {

/// An output with times and places.
///
/// Source: OGC 11-014r3, requirement 9.5 (/req/exchange-item/ITimeSpaceOutput), table 28.
class ITimeSpaceOutput : public virtual ITimeSpaceExchangeItem, public virtual IBaseOutput {
 public:
  /// As `IBaseOutput::GetValues`; the answer is by time and element.
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override = 0;

  /// The present raw values, by time and element.
  const ITimeSpaceValueSet& Values() const override = 0;
};

}  // namespace openmi
