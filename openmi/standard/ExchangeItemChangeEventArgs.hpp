#pragma once

#include <string>

namespace openmi {

class IBaseExchangeItem;

/// What a handler of `ItemChanged` receives.
///
/// Source: OGC 11-014r3, requirement 9.7 (/req/exchange-item/EventExchangeItemChanged), table 23.
struct ExchangeItemChangeEventArgs {
  IBaseExchangeItem* exchange_item = nullptr;  ///< the item that changed
  std::string message;                         ///< text for people; may be empty
};

}  // namespace openmi
