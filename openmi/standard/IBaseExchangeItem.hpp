#pragma once

#include "openmi/standard/ExchangeItemChangeEventArgs.hpp"
#include "openmi/standard/IEvent.hpp"
#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

class IBaseLinkableComponent;

/// Something that can be exchanged: an input or an output.
///
/// Source: OGC 11-014r3, requirement 9.1 (/req/exchange-item/IBaseExchangeItem), table 22.
class IBaseExchangeItem : public virtual IIdentifiable {
 public:
  /// The owner; null for an item without one (a viewer's query, say).
  virtual IBaseLinkableComponent* Component() const = 0;

  /// Raised when the value definition, the time set, the element set or the values change. Nothing essential may rely
  /// on it (requirement 9.7).
  virtual IEvent<ExchangeItemChangeEventArgs>& ItemChanged() = 0;

  /// What the values are; lives as long as the item.
  virtual const IValueDefinition& ValueDefinition() const = 0;
};

}  // namespace openmi
