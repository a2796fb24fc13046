#include <algorithm>

#include "adaptors/base/AdaptorOffer.hpp"
#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/OneValue.hpp"
#include "adaptors/space/TimesElementArea.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

bool Has(const IElementSet* elements, ElementType type) {
  return elements != nullptr && elements->ElementType() == type;
}

/// If the elements are the same object, the two ends need no mapping.
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

/// Mapping from elements of one type to those of another, where no other adaptor suits them better. Without a target,
/// the target elements may be known later: from a file, or from the input of a link.
template <ElementType from, ElementType to, Suitability suitability>
Suitability RateTypes(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!IsNumeric(adaptee) || !Has(ElementsOf(&adaptee), from)) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  if (!Has(ElementsOf(target), to)) return Suitability::None;
  return Unless(ElementsOf(&adaptee) == ElementsOf(target), suitability);
}

/// From elements to one value without a place.
Suitability RateOneValue(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!IsNumeric(adaptee) || ElementsOf(&adaptee) == nullptr) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  const IElementSet* wanted = ElementsOf(target);
  if (wanted == nullptr) return Suitability::Best;
  return wanted->ElementCount() == 1 ? Suitability::Possible : Suitability::None;
}

/// Methods between the middles of elements: good for points, possible for others.
Suitability RateMiddles(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const Suitability nearest = RateNearest(adaptee, target);
  return nearest == Suitability::Good && !Has(ElementsOf(&adaptee), ElementType::Point) ? Suitability::Possible
                                                                                        : nearest;
}
/// As `RateMiddles`, for methods that users rarely want without asking for them.
Suitability RatePossible(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  return RateNearest(adaptee, target) == Suitability::None ? Suitability::None : Suitability::Possible;
}

/// Interpolation in a mesh of polygons to points, or among points.
Suitability RateMesh(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  if (!Has(source, ElementType::Polygon) && !Has(source, ElementType::Point)) return Suitability::None;
  if (source->ElementCount() < 3) return Suitability::None;  // two places form no triangle
  const Suitability nearest = RateNearest(adaptee, target);
  return nearest == Suitability::Good && Has(ElementsOf(target), ElementType::Polygon) ? Suitability::Possible
                                                                                       : nearest;
}

Suitability RateValueAt(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IElementSet* source = ElementsOf(&adaptee);
  const bool bodies = Has(source, ElementType::Polyhedron);
  if (!IsNumeric(adaptee) || !(bodies || Has(source, ElementType::Polygon))) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  const IElementSet* wanted = ElementsOf(target);
  return Has(wanted, ElementType::Point) && (!bodies || wanted->HasZ()) ? Suitability::Best : Suitability::None;
}

Suitability RateMeasure(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const auto measured = [](const IElementSet* elements) {
    return (Has(elements, ElementType::Point) || Has(elements, ElementType::PolyLine)) && elements->HasM();
  };
  if (!IsNumeric(adaptee) || !measured(ElementsOf(&adaptee))) return Suitability::None;
  if (target == nullptr) return Suitability::Possible;
  if (!measured(ElementsOf(target))) return Suitability::None;
  return Unless(ElementsOf(&adaptee) == ElementsOf(target), Suitability::Best);
}

/// Any two sets of elements: only the file shows whether it fits.
Suitability RateWeights(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  if (!IsNumeric(adaptee) || ElementsOf(&adaptee) == nullptr) return Suitability::None;
  return target != nullptr && ElementsOf(target) == nullptr ? Suitability::None : Suitability::Possible;
}

/// Polygons, or elements with an attribute that may be their area, because its unit is one of area.
Suitability RateElementArea(const ITimeSpaceOutput& adaptee, const IBaseInput* target) {
  const IQuantity* given = QuantityOf(adaptee);
  const IElementSet* elements = ElementsOf(&adaptee);
  if (given == nullptr || elements == nullptr) return Suitability::None;
  const auto* own = dynamic_cast<const ElementSet*>(elements);
  const bool has_area = own != nullptr && std::ranges::any_of(own->Attributes(), [](const ElementAttribute& attribute) {
                          return Convertible(Unit::Parse(attribute.unit), Unit::Parse("m2"));
                        });
  if (!Has(elements, ElementType::Polygon) && !has_area) return Suitability::None;
  const IQuantity* wanted = QuantityOf(target);
  const bool leads = wanted != nullptr && LeadsTo(given->Unit(), wanted->Unit(), {{DimensionBase::Length, 2.0}});
  return leads ? Suitability::Best : Suitability::Possible;
}

}  // namespace

std::span<const AdaptorOffer> SpaceOffers() {
  static const auto* offers = new std::vector<AdaptorOffer>{
      {Identifier("by-id", "by id", "the value of the source with the same id"), RateIds,
       MakeMap<Carries::Anything, MapById>},
      {Identifier("one-value", "one value of all", "one element, or the sum, mean or extreme of all"), RateOneValue,
       MakePlain<OneValue>},
      {Identifier("area-weighted-mean", "area-weighted mean",
                  "mean weighted by common areas; for states and rates per area"),
       RateTypes<ElementType::Polygon, ElementType::Polygon, Suitability::Best>,
       MakeMap<Carries::Intensive, MapByArea, PolygonWeightKind::Mean>},
      {Identifier("area-weighted-sum", "area-weighted sum",
                  "mean weighted by common areas; what no source covers counts as zero"),
       RateTypes<ElementType::Polygon, ElementType::Polygon, Suitability::Good>,
       MakeMap<Carries::Intensive, MapByArea, PolygonWeightKind::Sum>},
      {Identifier("area-weighted-second-order", "area-weighted, second order",
                  "mean weighted by common areas, with a slope in each source; keeps totals as the mean does"),
       RateTypes<ElementType::Polygon, ElementType::Polygon, Suitability::Good>,
       MakeMap<Carries::Intensive, MapByAreaAndSlope>},
      {Identifier("area-weighted-distribute", "area-weighted distribution",
                  "amounts of polygons, divided among the targets by common area"),
       RateTypes<ElementType::Polygon, ElementType::Polygon, Suitability::Good>,
       MakeMap<Carries::Extensive, MapByArea, PolygonWeightKind::Distribute>},
      {Identifier("value-at", "value at the place", "value of the polygon or polyhedron that a point lies in"),
       RateValueAt, MakeMap<Carries::Intensive, MapValueAt>},
      {Identifier("points-in-polygon-mean", "mean of points", "mean of the points that lie in a polygon"),
       RateTypes<ElementType::Point, ElementType::Polygon, Suitability::Best>,
       MakeMap<Carries::Intensive, MapPointsInPolygons, InPolygon::Mean>},
      {Identifier("points-in-polygon-sum", "sum of points", "sum of the points that lie in a polygon; for amounts"),
       RateTypes<ElementType::Point, ElementType::Polygon, Suitability::Good>,
       MakeMap<Carries::Extensive, MapPointsInPolygons, InPolygon::Sum>},
      {Identifier("lines-in-polygon-mean", "mean of lines", "mean of polylines weighted by their length in a polygon"),
       RateTypes<ElementType::PolyLine, ElementType::Polygon, Suitability::Best>,
       MakeMap<Carries::Intensive, MapLinesToPolygons, LengthWeights::Mean>},
      {Identifier("lines-in-polygon-sum", "sum of lines", "amounts of polylines, divided by length in polygons"),
       RateTypes<ElementType::PolyLine, ElementType::Polygon, Suitability::Good>,
       MakeMap<Carries::Extensive, MapLinesToPolygons, LengthWeights::Distribute>},
      {Identifier("polygons-on-line-mean", "mean along a line",
                  "mean of polygons weighted by the length of a polyline in them"),
       RateTypes<ElementType::Polygon, ElementType::PolyLine, Suitability::Best>,
       MakeMap<Carries::Intensive, MapPolygonsToLines, LengthWeights::Mean>},
      {Identifier("polygons-on-line-sum", "sum along a line",
                  "mean of polygons along a polyline; what no polygon covers counts as zero"),
       RateTypes<ElementType::Polygon, ElementType::PolyLine, Suitability::Good>,
       MakeMap<Carries::Intensive, MapPolygonsToLines, LengthWeights::PerTarget>},
      {Identifier("lines-on-line-mean", "mean of lines along a line",
                  "mean of polylines weighted by the length they have in common with one"),
       RateTypes<ElementType::PolyLine, ElementType::PolyLine, Suitability::Good>,
       MakeMap<Carries::Intensive, MapLinesToLines, LengthWeights::Mean>},
      {Identifier("lines-on-line-sum", "sum of lines along a line",
                  "amounts of polylines, divided by common length; the sign turns with the direction"),
       RateTypes<ElementType::PolyLine, ElementType::PolyLine, Suitability::Good>,
       MakeMap<Carries::Extensive, MapLinesToLines, LengthWeights::Distribute>},
      {Identifier("along-m", "along M", "values along a reach, by chainage (M) alone"), RateMeasure,
       MakeMap<Carries::Intensive, MapAlongMeasure>},
      {Identifier("nearest", "nearest element", "the value of the nearest source"), RateNearest,
       MakeMap<Carries::Intensive, MapNearest>},
      {Identifier("bilinear", "bilinear", "between the four cells or grid points around a target"), RateMesh,
       MakeMap<Carries::Intensive, MapOnMesh, MeshCells::Quadrilaterals>},
      {Identifier("barycentric", "barycentric", "linear in the triangle of sources around a target"), RateMesh,
       MakeMap<Carries::Intensive, MapOnMesh, MeshCells::Triangles>},
      {Identifier("inverse-distance", "inverse distance", "nearest sources weighted by a power of 1 / distance"),
       RateMiddles, MakeMap<Carries::Intensive, MapByInverseDistance>},
      {Identifier("moving-least-squares", "moving least squares", "a plane fitted to the nearest sources"), RateMiddles,
       MakeMap<Carries::Intensive, MapByLeastSquares>},
      {Identifier("radial-basis", "radial basis functions", "smooth interpolation between all sources"), RateMiddles,
       MakeMap<Carries::Intensive, MapByRadialBasis>},
      {Identifier("radial-basis-patches", "radial basis functions in patches",
                  "smooth interpolation between many sources, patch by patch"),
       RateMiddles, MakeMap<Carries::Intensive, MapByPatches>},
      {Identifier("kriging", "ordinary kriging", "the linear estimate with the least variance, for a given variogram"),
       RateMiddles, MakeMap<Carries::Intensive, MapByKriging, KrigingGives::Estimate>},
      {Identifier("kriging-variance", "variance of kriging", "the variance of the estimate that kriging gives"),
       RatePossible, MakeMap<Carries::Anything, MapByKriging, KrigingGives::Variance>},
      {Identifier("nearest-target-mean", "mean at the nearest target",
                  "each source goes to its nearest target, which takes the mean"),
       RatePossible, MakeMap<Carries::Intensive, MapToNearestTarget, Gather::Mean>},
      {Identifier("nearest-target-sum", "sum at the nearest target",
                  "each source goes to its nearest target, which takes the sum"),
       RatePossible, MakeMap<Carries::Extensive, MapToNearestTarget, Gather::Sum>},
      {Identifier("weights-from-file", "weights from a file",
                  "weights that SCRIP, CDO or ESMF wrote for these elements, or a table of edges"),
       RateWeights, MakeMap<Carries::Anything, MapByWeightFile>},
      {Identifier("times-element-area", "times element area",
                  "a depth (rate) becomes a volume (rate): times the area of each element"),
       RateElementArea, MakePlain<TimesElementArea>},
  };
  return *offers;  // never destroyed: plug-ins may ask until the program ends
}

}  // namespace openmi
