#pragma once

#include <memory>

#include "timespace/ISharedPlaces.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

/// The element set of an item, as an adaptor uses it from row to row: it stays alive while it is in use, also when the
/// item shows another one meanwhile.
class ElementsInUse {
 public:
  /// Takes up what `item` shows now. \returns whether that has elements; if not, nothing is in use
  bool Take(const ITimeSpaceExchangeItem& item);
  /// Whether `item` still shows these. Costs a virtual call or two: for every row.
  bool AreShownBy(const ITimeSpaceExchangeItem& item) const { return item.SpatialDefinition() == places_.get(); }
  /// As AdaptedOutput::ReplaceElements. \param item  what shows them, `before` or `after`; null: nothing does any more
  /// \returns whether these gave way to `after`
  bool Replace(const ISpatialDefinition& before, const ISpatialDefinition& after, const ITimeSpaceExchangeItem* item);

  const IElementSet& operator*() const { return *elements_; }
  const IElementSet* operator->() const { return elements_; }
  const IElementSet* Get() const { return elements_; }
  const std::shared_ptr<const ISpatialDefinition>& Shared() const { return places_; }

 private:
  std::shared_ptr<const ISpatialDefinition> places_;
  const IElementSet* elements_ = nullptr;  // the same
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
  // The item may have come to show `before` since these were taken: they are as old as `before` then, and go with it.
  if (places_.get() != &before && (item == nullptr || (shown != &before && shown != &after))) return false;
  elements_ = &dynamic_cast<const IElementSet&>(after);
  if (shown == &after) {
    places_ = PlacesOf(*item);
  } else {
    places_ = {std::shared_ptr<void>(), &after};
  }
  return true;
}

}  // namespace openmi
