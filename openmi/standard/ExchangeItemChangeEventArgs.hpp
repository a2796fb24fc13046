#pragma once

#include <string>

namespace openmi {

class IBaseExchangeItem;

/// What a listener of ItemChanged is told.
///
/// Source: OGC 11-014r3, requirement 9.7 (/req/exchange-item/EventExchangeItemChanged), table 23.
struct ExchangeItemChangeEventArgs {
  IBaseExchangeItem* exchange_item = nullptr;  ///< the item that changed
  std::string message;                         ///< empty if there is nothing to say
};

}  // namespace openmi
