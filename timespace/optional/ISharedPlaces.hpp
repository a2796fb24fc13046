#pragma once

#include <memory>

#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {

/// An item that shares ownership of its places.
///
/// Optional interface. A caller that uses the places again later needs it, because the item may have other places by
/// then and release its own reference to these.
class ISharedPlaces {
 public:
  virtual ~ISharedPlaces() = default;
  /// The present result of `SpatialDefinition()`; null when there is none, or when the item cannot share it.
  virtual std::shared_ptr<const ISpatialDefinition> SharedPlaces() const = 0;
};

/// The present places of `item`: shared when the item can share them, else borrowed from it. Null when it has none.
inline std::shared_ptr<const ISpatialDefinition> PlacesOf(const ITimeSpaceExchangeItem& item) {
  const ISpatialDefinition* shown = item.SpatialDefinition();
  if (const auto* shares = dynamic_cast<const ISharedPlaces*>(&item)) {
    std::shared_ptr<const ISpatialDefinition> shared = shares->SharedPlaces();
    // A derived class may have other places than its base class shares.
    if (shared.get() == shown) return shared;
  }
  return {std::shared_ptr<void>(), shown};
}

}  // namespace openmi
