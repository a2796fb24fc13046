#include "adaptors/AdaptorOffer.hpp"
#include "adaptors/TimesElementArea.hpp"
#include "adaptors/space/MapByArea.hpp"
#include "adaptors/space/MapById.hpp"
#include "adaptors/space/MapNearest.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi {
namespace {

bool Has(const IElementSet* elements, ElementType type) {
  return elements != nullptr && elements->ElementType() == type;
}

/// Nothing about two ends asks for a mapping when the elements are the same object.
Suitability Unless(bool same, Suitability suitability) {
  return same ? Suitability::Possible : suitability;
}

Suitability RateIds(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  if (!IsNumeric(adaptee) || source == nullptr || source->ElementCount() == 0) return Suitability::None;
  if (target == nullptr) return source->GetElementId(0) != nullptr ? Suitability::Possible : Suitability::None;
  const IElementSet* wanted = ElementsOf(target);
  if (wanted == nullptr || wanted->ElementCount() == 0) return Suitability::None;
  const IIdentifiable* id = wanted->GetElementId(0);
  if (id == nullptr || source->GetElementIndex(*id) < 0) return Suitability::None;
  return Unless(source == wanted, Suitability::Best);
}

Suitability RateNearest(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  const IElementSet* wanted = ElementsOf(target);
  if (!IsNumeric(adaptee) || source == nullptr || Has(source, ElementType::IdBased)) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  if (wanted == nullptr || Has(wanted, ElementType::IdBased)) return Suitability::None;
  return Unless(source == wanted, Suitability::Good);
}

bool ArePolygons(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  return IsNumeric(adaptee) && Has(ElementsOf(&adaptee), ElementType::Polygon) &&
         (target == nullptr || Has(ElementsOf(target), ElementType::Polygon));
}

Suitability RateAreaMean(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!ArePolygons(adaptee, target)) return Suitability::None;
  return Unless(target == nullptr || ElementsOf(&adaptee) == ElementsOf(target), Suitability::Best);
}

Suitability RateAreaSum(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!ArePolygons(adaptee, target)) return Suitability::None;
  return Unless(target == nullptr || ElementsOf(&adaptee) == ElementsOf(target), Suitability::Good);
}

/// Polygons, or elements with an attribute that may be their area.
Suitability RateElementArea(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IQuantity* given = QuantityOf(adaptee);
  const IElementSet* elements = ElementsOf(&adaptee);
  if (given == nullptr || elements == nullptr) return Suitability::None;
  const auto* own = dynamic_cast<const ElementSet*>(elements);
  if (!Has(elements, ElementType::Polygon) && (own == nullptr || own->Attributes().empty())) return Suitability::None;
  const IQuantity* wanted = QuantityOf(target);
  const bool leads = wanted != nullptr && LeadsTo(given->Unit(), wanted->Unit(), {{DimensionBase::Length, 2.0}});
  return leads ? Suitability::Best : Suitability::Possible;
}

template <class Mapping, auto... kind>
std::unique_ptr<IBaseAdaptedOutput> MakeSpace(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target) {
  return std::make_unique<Mapping>(id, adaptee, target, kind...);
}

}  // namespace

std::span<const AdaptorOffer> SpaceOffers() {
  static const auto* offers = new std::vector<AdaptorOffer>{
      {Identifier("by-id", "by id", "values of the source element with the same id"), RateIds, MakeSpace<MapById>},
      {Identifier("area-weighted-mean", "area-weighted mean",
                  "mean weighted by common areas; for states and rates per area"),
       RateAreaMean, MakeSpace<MapByArea, PolygonWeightKind::Mean>},
      {Identifier("area-weighted-sum", "area-weighted sum",
                  "common area over target area; what is not covered counts as zero"),
       RateAreaSum, MakeSpace<MapByArea, PolygonWeightKind::Sum>},
      {Identifier("nearest", "nearest element", "value of the nearest source element"), RateNearest,
       MakeSpace<MapNearest>},
      {Identifier("times-element-area", "times element area",
                  "depth (rate) to volume (rate): multiplies with each element's area"),
       RateElementArea, MakePlain<TimesElementArea>},
  };
  return *offers;  // never destroyed: plug-ins may ask until the very end
}

}  // namespace openmi
