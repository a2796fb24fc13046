#include "adaptors/Geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/GeodesicArea.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace openmi {
namespace {

struct PolygonSet {
  ElementSet copy;  // of a foreign set
  const ElementSet* set = nullptr;
};

PolygonSet AsPolygons(const std::string& adaptor, const IElementSet& elements) {
  if (elements.ElementType() != ElementType::Polygon) {
    throw LinkError({.item = adaptor},
                    fmt::format("expected polygons, found the elements of '{}' which are none", elements.Caption()),
                    "use 'nearest' or 'by-id' for other elements");
  }
  PolygonSet polygons;
  polygons.set = dynamic_cast<const ElementSet*>(&elements);
  if (polygons.set == nullptr) polygons.copy = CopyOf(elements);
  return polygons;
}

const ElementSet& SetOf(const PolygonSet& polygons) {
  return polygons.set != nullptr ? *polygons.set : polygons.copy;
}

Polygons Build(const ElementSet& elements, bool project, double reference_longitude) {
  Polygons polygons;
  std::vector<double> px;
  std::vector<double> py;
  for (int element = 0; element < elements.ElementCount(); ++element) {
    for (const ElementRing& ring : elements.Rings(element)) {
      px.assign(ring.x.begin(), ring.x.end());
      py.assign(ring.y.begin(), ring.y.end());
      if (project) ProjectToEqualArea(px, py, reference_longitude, px, py);
      for (std::size_t i = 0; i < px.size(); ++i) polygons.AddVertex(px[i], py[i]);
      polygons.EndRing(ring.is_hole);
    }
    polygons.EndPolygon();
  }
  return polygons;
}

}  // namespace

PolygonPair InOnePlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  const PolygonSet from = AsPolygons(adaptor, source);
  const PolygonSet to = AsPolygons(adaptor, target);
  const bool geographic = IsGeographic(source.SpatialReferenceSystemWkt());
  if (geographic != IsGeographic(target.SpatialReferenceSystemWkt()) ||
      (!geographic && source.SpatialReferenceSystemWkt() != target.SpatialReferenceSystemWkt())) {
    throw LinkError({.item = adaptor},
                    fmt::format("expected elements in one reference system, found '{}' and '{}' in two",
                                source.Caption(), target.Caption()),
                    "give both element sets in the same reference system");
  }
  const double reference = geographic ? MiddleLongitude(SetOf(to).X()) : 0.0;
  return {Build(SetOf(from), geographic, reference), Build(SetOf(to), geographic, reference)};
}

ElementAreas AreasOf(const std::string& adaptor, const IElementSet& elements, const std::string& name) {
  ElementAreas areas;
  std::vector<double> geometric;
  if (elements.ElementType() == ElementType::Polygon) {
    const PolygonSet polygons = AsPolygons(adaptor, elements);
    if (IsGeographic(elements.SpatialReferenceSystemWkt())) {
      geometric = GeodesicAreas(Build(SetOf(polygons), false, 0.0).View());
      areas.source = "geodesic on WGS84";
    } else {
      geometric = PolygonAreas(Build(SetOf(polygons), false, 0.0).View());
      areas.source = "plane";
    }
  }
  const auto* own = dynamic_cast<const ElementSet*>(&elements);  // a foreign set has no attributes
  const ElementAttribute* attribute = own != nullptr ? own->Attribute(name) : nullptr;
  if (attribute != nullptr) {
    const LinearConversion to_m2 = ConversionBetween(Unit::Parse(attribute->unit), Unit::Parse("m2"));
    for (double value : attribute->values) areas.square_metres.push_back(to_m2(value));
    for (std::size_t i = 0; i < geometric.size(); ++i) {
      areas.difference =
          std::max(areas.difference, std::fabs(geometric[i] - areas.square_metres[i]) / areas.square_metres[i]);
    }
    areas.source = fmt::format("attribute '{}'", name);
    return areas;
  }
  if (geometric.empty()) {
    throw LinkError(
        {.item = adaptor},
        fmt::format("expected elements with an area, found '{}' with neither polygons nor an attribute '{}'",
                    elements.Caption(), name),
        "give the element set polygons or that attribute");
  }
  areas.square_metres = std::move(geometric);
  return areas;
}

}  // namespace openmi
