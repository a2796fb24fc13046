#include "composition/record/DescribeSeries.hpp"

#include <fmt/format.h>

#include <memory>

#include "composition/record/ConservedQuantity.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

/// Whether values over spans can be added up: volumes, depths of rain and the like, masses, masses per area. A length
/// alone may also be a level.
bool IsAmount(const ITimeSpaceOutput& output) {
  const IUnit* unit = UnitOf(output);
  if (unit == nullptr) return false;
  const IDimension& d = unit->Dimension();
  const double length = d.GetPower(DimensionBase::Length);
  const double mass = d.GetPower(DimensionBase::Mass);
  for (const DimensionBase base :
       {DimensionBase::Time, DimensionBase::ElectricCurrent, DimensionBase::Temperature,
        DimensionBase::AmountOfSubstance, DimensionBase::LuminousIntensity, DimensionBase::Currency}) {
    if (d.GetPower(base) != 0.0) return false;
  }
  if (mass == 0.0) return length == 3.0 || (length == 1.0 && IsDepthOfMatter(output));
  return mass == 1.0 && (length == 0.0 || length == -2.0);
}

/// The kind of an item's rows if no period is asked for.
ResultKind KindOfRows(const ITimeSpaceOutput& output) {
  if (output.TimeSet() == nullptr || !output.TimeSet()->HasDurations()) return ResultKind::Instant;
  return IsAmount(output) ? ResultKind::Sum : ResultKind::Mean;
}

/// The geometry of the chosen elements, null for polyhedra, which files of results cannot hold, and
/// for a third-party set that breaks the rules of geometry.
std::shared_ptr<const ElementSet> PlacesOf(const IElementSet& set, const std::vector<std::size_t>& chosen) {
  if (set.ElementType() == ElementType::Polyhedron || chosen.empty()) return nullptr;
  try {
    return std::make_shared<const ElementSet>(SubsetOf(set, std::vector<int>(chosen.begin(), chosen.end())));
  } catch (const FormatError&) {
    return nullptr;
  }
}

}  // namespace

double MissingOf(const IBaseExchangeItem& item) {
  return item.ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

const IUnit* UnitOf(const IBaseExchangeItem& item) {
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  return quantity != nullptr ? &quantity->Unit() : nullptr;
}

std::string UnitText(const IBaseExchangeItem& item) {
  const IUnit* unit = UnitOf(item);
  return unit != nullptr ? unit->Caption() : std::string();
}

std::string ElementIdText(const IElementSet& elements, int index) {
  const IIdentifiable* id = elements.GetElementId(index);
  return id != nullptr && !id->Id().empty() ? id->Id() : fmt::format("{}", index);
}

int FindElement(const IElementSet& elements, const std::string& id) {
  if (const int index = elements.GetElementIndex(Identifier(id)); index >= 0) return index;
  for (int i = 0; i < elements.ElementCount(); ++i) {
    if (ElementIdText(elements, i) == id) return i;
  }
  return -1;
}

ResultSeries DescribeSeries(const ObserveSpec& spec, const ITimeSpaceOutput& output,
                            const std::vector<std::size_t>& elements) {
  ResultSeries series;
  series.id = spec.id.empty() ? spec.item.Text() : spec.id;
  series.caption = output.Caption();
  series.quantity = output.ValueDefinition().Caption();
  series.unit = UnitText(output);
  series.kind = spec.every || spec.as != ObserveAs::Instant ? kResultKinds.Find(kObserveAs.NameOf(spec.as)).value()
                                                            : KindOfRows(output);
  if (spec.as != ObserveAs::Instant) series.span = spec.every;
  if (series.id != spec.item.Text()) series.attributes.emplace_back("item", spec.item.Text());
  const auto* set = dynamic_cast<const IElementSet*>(output.SpatialDefinition());
  if (set == nullptr) return series;
  std::vector<std::size_t> chosen = elements;
  if (chosen.empty()) {
    for (int i = 0; i < set->ElementCount(); ++i) chosen.push_back(static_cast<std::size_t>(i));
  }
  // A set that is named like its item is not named.
  if (set->Caption() != output.Id() && set->Caption() != series.quantity) series.elements_caption = set->Caption();
  const bool placed = set->ElementType() != ElementType::IdBased;
  if (placed) series.places = PlacesOf(*set, chosen);
  series.is_longitude_latitude = placed && IsGeographic(set->SpatialReferenceSystemWkt());
  for (std::size_t element : chosen) {
    const int index = static_cast<int>(element);
    series.elements.push_back(ElementIdText(*set, index));
    if (!placed) continue;
    const int count = set->GetVertexCount(index);
    double x = 0.0;
    double y = 0.0;
    for (int vertex = 0; vertex < count; ++vertex) {
      x += set->GetVertexXCoordinate(index, vertex) / count;
      y += set->GetVertexYCoordinate(index, vertex) / count;
    }
    series.x.push_back(x);
    series.y.push_back(y);
  }
  return series;
}

}  // namespace openmi
