#pragma once

#include <memory>

#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The element set of an item while an adaptor uses it, from row to row.
///
/// The set stays alive while it is in use, even if the item shows another set meanwhile.
class ElementsInUse {
 public:
  /// Starts to use the set that `item` shows now.
  /// \returns whether that set has elements; if not, no set is in use
  bool Take(const ITimeSpaceExchangeItem& item);
  /// Whether `item` still shows the set in use. Cheap enough for each row: one or two virtual calls.
  bool AreShownBy(const ITimeSpaceExchangeItem& item) const { return item.SpatialDefinition() == places_.get(); }
  /// Replaces the set in use, as `AdaptedOutput::ReplaceElements`.
  /// \param item  shows `before` or `after`; null: no item shows them any more
  /// \returns whether `after` is now in use
  bool Replace(const ISpatialDefinition& before, const ISpatialDefinition& after, const ITimeSpaceExchangeItem* item);

  const IElementSet& operator*() const { return *elements_; }
  const IElementSet* operator->() const { return elements_; }
  const IElementSet* Get() const { return elements_; }
  const std::shared_ptr<const ISpatialDefinition>& Shared() const { return places_; }

 private:
  std::shared_ptr<const ISpatialDefinition> places_;
  const IElementSet* elements_ = nullptr;  // places_ as element set
};

inline bool ElementsInUse::Take(const ITimeSpaceExchangeItem& item) {
  places_ = PlacesOf(item);
  elements_ = dynamic_cast<const IElementSet*>(places_.get());
  return elements_ != nullptr;
}

inline bool ElementsInUse::Replace(const ISpatialDefinition& before, const ISpatialDefinition& after,
                                   const ITimeSpaceExchangeItem* item) {
  const ISpatialDefinition* shown = item != nullptr ? item->SpatialDefinition() : nullptr;
  if (places_.get() == &after) return false;
  // The item may show `before` since this set was taken. This set is then as old as `before` and is replaced with it.
  if (places_.get() != &before && (item == nullptr || (shown != &before && shown != &after))) return false;
  elements_ = &dynamic_cast<const IElementSet&>(after);
  if (item != nullptr && shown == &after) {
    places_ = PlacesOf(*item);
  } else {
    places_ = {std::shared_ptr<void>(), &after};
  }
  return true;
}

}  // namespace openmi
