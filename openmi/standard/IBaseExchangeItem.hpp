#pragma once

#include "openmi/standard/ExchangeItemChangeEventArgs.hpp"
#include "openmi/standard/IEvent.hpp"
#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

class IBaseLinkableComponent;

/// What components exchange: an input or an output.
///
/// Source: OGC 11-014r3, requirement 9.1 (/req/exchange-item/IBaseExchangeItem), table 22.
class IBaseExchangeItem : public virtual IIdentifiable {
 public:
  /// The component that owns the item; null for an item without one, such as the query of a viewer.
  virtual IBaseLinkableComponent* Component() const = 0;

  /// Raised when the value definition, the time set, the element set or the values change.
  ///
  /// No essential function may depend on this event (requirement 9.7).
  virtual IEvent<ExchangeItemChangeEventArgs>& ItemChanged() = 0;

  /// What the values mean: quantity or quality. Lives as long as the item.
  virtual const IValueDefinition& ValueDefinition() const = 0;
};

}  // namespace openmi
