#include "adaptors/StandardAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "adaptors/TimeAdaptor.hpp"
#include "adaptors/TimesElementArea.hpp"
#include "adaptors/ValueAdaptors.hpp"
#include "adaptors/space/MapByArea.hpp"
#include "adaptors/space/MapById.hpp"
#include "adaptors/space/MapNearest.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/ElementSet.hpp"

namespace openmi {
namespace {

using Made = std::unique_ptr<IBaseAdaptedOutput>;
using Fits = bool (*)(const ITimeSpaceOutput& adaptee, const IBaseInput* target);
using Make = Made (*)(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target);

const IElementSet* ElementsOf(const ITimeSpaceExchangeItem* item) {
  return item != nullptr ? dynamic_cast<const IElementSet*>(item->SpatialDefinition()) : nullptr;
}
const IElementSet* ElementsOf(const IBaseInput* target) {
  return ElementsOf(dynamic_cast<const ITimeSpaceExchangeItem*>(target));
}

bool IsQuantity(const ITimeSpaceOutput& adaptee) {
  return dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition()) != nullptr;
}
bool IsNumeric(const ITimeSpaceOutput& adaptee) {
  const ValueKind kind = adaptee.ValueDefinition().ValueType().kind;
  return kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
}
bool Has(const IElementSet* elements, ElementType type) {
  return elements != nullptr && elements->ElementType() == type;
}

/// Whether a time adaptor can read the rows of an output. Not by asking for them: then they would be kept.
bool ShowsRows(const IBaseOutput& output) {
  if (const auto* rows = dynamic_cast<const RowAdaptor*>(&output)) return ShowsRows(rows->Adaptee());
  if (const auto* time = dynamic_cast<const TimeAdaptor*>(&output)) return time->ShowsRows();
  auto* door = dynamic_cast<IHistoryProvider*>(const_cast<IBaseOutput*>(&output));
  return door != nullptr && door->UseHistory() != nullptr;
}
bool FitsTime(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  return IsNumeric(adaptee) && adaptee.TimeSet() != nullptr && ShowsRows(adaptee);
}
bool FitsSpans(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(target);
  return FitsTime(adaptee, target) &&
         (item == nullptr || item->TimeSet() == nullptr || item->TimeSet()->HasDurations());
}
bool FitsIds(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  if (!IsNumeric(adaptee) || source == nullptr || source->ElementCount() == 0) return false;
  if (target == nullptr) return source->GetElementId(0) != nullptr;
  const IElementSet* wanted = ElementsOf(target);
  if (wanted == nullptr || wanted->ElementCount() == 0) return false;
  const IIdentifiable* id = wanted->GetElementId(0);
  return id != nullptr && source->GetElementIndex(*id) >= 0;
}
bool FitsPlaces(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  const IElementSet* wanted = ElementsOf(target);
  return IsNumeric(adaptee) && source != nullptr && !Has(source, ElementType::IdBased) &&
         (target == nullptr || (wanted != nullptr && !Has(wanted, ElementType::IdBased)));
}
bool FitsPolygons(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  return IsNumeric(adaptee) && Has(ElementsOf(&adaptee), ElementType::Polygon) &&
         (target == nullptr || Has(ElementsOf(target), ElementType::Polygon));
}
/// Polygons, or elements with an attribute that may be their area.
bool FitsArea(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  const IElementSet* elements = ElementsOf(&adaptee);
  if (!IsQuantity(adaptee) || elements == nullptr) return false;
  const auto* own = dynamic_cast<const ElementSet*>(elements);
  return Has(elements, ElementType::Polygon) || (own != nullptr && !own->Attributes().empty());
}
bool FitsQuantity(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  return IsQuantity(adaptee);
}
bool FitsNumeric(const ITimeSpaceOutput& adaptee, const IBaseInput*) {
  return IsNumeric(adaptee);
}
bool FitsUnit(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const auto* given = dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition());
  const auto* wanted = target != nullptr ? dynamic_cast<const IQuantity*>(&target->ValueDefinition()) : nullptr;
  return given != nullptr && (target == nullptr || (wanted != nullptr && Convertible(given->Unit(), wanted->Unit())));
}

template <TemporalMethod method>
Made MakeTime(const std::string& id, IBaseOutput& adaptee, const IBaseInput*) {
  return std::make_unique<TimeAdaptor>(id, adaptee, method);
}
template <class Mapping, auto... kind>
Made MakeSpace(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target) {
  return std::make_unique<Mapping>(id, adaptee, target, kind...);
}
template <class Adaptor>
Made MakePlain(const std::string& id, IBaseOutput& adaptee, const IBaseInput*) {
  return std::make_unique<Adaptor>(id, adaptee);
}
template <SpanFactor::Way way>
Made MakeSpan(const std::string& id, IBaseOutput& adaptee, const IBaseInput*) {
  return std::make_unique<SpanFactor>(id, adaptee, way);
}
Made MakeUnit(const std::string& id, IBaseOutput& adaptee, const IBaseInput* target) {
  return std::make_unique<UnitConversion>(id, adaptee, target);
}

struct Offer {
  Identifier id;
  Fits fits;
  Make make;
};

/// All there is, in the order in which it is offered.
const std::vector<Offer>& Offers() {
  static const auto* offers = new std::vector<Offer>{
      {Identifier("by-id", "by id", "values of the source element with the same id"), FitsIds, MakeSpace<MapById>},
      {Identifier("area-weighted-mean", "area-weighted mean",
                  "mean weighted by common areas; for states and rates per area"),
       FitsPolygons, MakeSpace<MapByArea, PolygonWeightKind::Mean>},
      {Identifier("area-weighted-sum", "area-weighted sum",
                  "common area over target area; what is not covered counts as zero"),
       FitsPolygons, MakeSpace<MapByArea, PolygonWeightKind::Sum>},
      {Identifier("nearest", "nearest element", "value of the nearest source element"), FitsPlaces,
       MakeSpace<MapNearest>},
      {Identifier("linear", "linear in time", "straight line between neighbouring values"), FitsTime,
       MakeTime<TemporalMethod::Linear>},
      {Identifier("previous", "previous value", "the value holds until the next one"), FitsTime,
       MakeTime<TemporalMethod::Previous>},
      {Identifier("next", "next value", "the value that comes next"), FitsTime, MakeTime<TemporalMethod::Next>},
      {Identifier("nearest-in-time", "nearest in time", "the value nearest in time"), FitsTime,
       MakeTime<TemporalMethod::Nearest>},
      {Identifier("mean-over-span", "mean over the span", "time-weighted mean over the span asked for"), FitsSpans,
       MakeTime<TemporalMethod::Mean>},
      {Identifier("sum-over-span", "sum over the span", "amounts added up over the span asked for, pro rata"),
       FitsSpans, MakeTime<TemporalMethod::Sum>},
      {Identifier("unit-conversion", "unit conversion", "to another unit of the same dimension"), FitsUnit, MakeUnit},
      {Identifier("times-element-area", "times element area",
                  "depth (rate) to volume (rate): multiplies with each element's area"),
       FitsArea, MakePlain<TimesElementArea>},
      {Identifier("divide-by-span", "amount to rate", "divides by the length of the span"), FitsQuantity,
       MakeSpan<SpanFactor::Way::Divide>},
      {Identifier("multiply-by-span", "rate to amount", "multiplies with the length of the span"), FitsQuantity,
       MakeSpan<SpanFactor::Way::Multiply>},
      {Identifier("density", "density", "mass to volume, or back"), FitsQuantity, MakePlain<DensityAdaptor>},
      {Identifier("linear-operation", "linear operation", "a x + b"), FitsNumeric, MakePlain<LinearOperation>},
      {Identifier("fill-missing", "fill missing values", "puts a constant for missing values"), FitsNumeric,
       MakePlain<FillMissing>},
  };
  return *offers;  // never destroyed: plug-ins may ask until the very end
}

}  // namespace

StandardAdaptors::StandardAdaptors() : IdentifiedAs("openmi.standard") {
  SetCaption("adaptors of the SDK");
}

std::vector<const IIdentifiable*> StandardAdaptors::AllIds() const {
  std::vector<const IIdentifiable*> ids;
  for (const Offer& offer : Offers()) ids.push_back(&offer.id);
  return ids;
}

std::vector<const IIdentifiable*> StandardAdaptors::GetAvailableAdaptedOutputIds(const IBaseOutput& adaptee,
                                                                                 const IBaseInput* target) {
  std::vector<const IIdentifiable*> ids;
  const auto* output = dynamic_cast<const ITimeSpaceOutput*>(&adaptee);
  if (output == nullptr) return ids;
  for (const Offer& offer : Offers()) {
    if (offer.fits(*output, target)) ids.push_back(&offer.id);
  }
  return ids;
}

std::unique_ptr<IBaseAdaptedOutput> StandardAdaptors::CreateAdaptedOutput(const IIdentifiable& adapted_output_id,
                                                                          IBaseOutput& adaptee, IBaseInput* target) {
  const auto& offers = Offers();
  const auto found = std::ranges::find_if(offers, [&](const Offer& offer) { return &offer.id == &adapted_output_id; });
  if (found == offers.end()) {
    throw LinkError({.item = adaptee.Id()},
                    fmt::format("expected an id that this factory gave, found '{}'", adapted_output_id.Id()),
                    "ask GetAvailableAdaptedOutputIds first");
  }
  std::unique_ptr<IBaseAdaptedOutput> made = found->make(found->id.Id(), adaptee, target);
  made->SetDescription(found->id.Description());
  adaptee.AddAdaptedOutput(*made);
  return made;
}

std::unique_ptr<IBaseAdaptedOutput> StandardAdaptors::CreateUnitConversion(IBaseOutput& adaptee, IBaseInput& target) {
  auto made = std::make_unique<UnitConversion>("unit-conversion", adaptee, &target);
  adaptee.AddAdaptedOutput(*made);
  return made;
}

}  // namespace openmi
