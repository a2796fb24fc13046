#pragma once

#include <memory>

#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// An item that shares its places with those who look at them again later: it may show other places by then, and drop
/// its own reference to these.
class ISharedPlaces {
 public:
  virtual ~ISharedPlaces() = default;
  /// What SpatialDefinition() shows now; null where it shows none, or cannot share it.
  virtual std::shared_ptr<const ISpatialDefinition> SharedPlaces() const = 0;
};

/// The places that `item` shows now: kept alive where the item can share them, else borrowed from it. Null where it
/// shows none.
inline std::shared_ptr<const ISpatialDefinition> PlacesOf(const ITimeSpaceExchangeItem& item) {
  const ISpatialDefinition* shown = item.SpatialDefinition();
  if (const auto* shares = dynamic_cast<const ISharedPlaces*>(&item)) {
    std::shared_ptr<const ISpatialDefinition> shared = shares->SharedPlaces();
    // A derived class may show other places than its base class shares.
    if (shared.get() == shown) return shared;
  }
  return {std::shared_ptr<void>(), shown};
}

}  // namespace openmi
