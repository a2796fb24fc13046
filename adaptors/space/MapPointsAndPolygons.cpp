#include <fmt/format.h>

#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {

MapBy::Method MapValueAt(MapBy& adaptor) {
  return [&adaptor](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    if (target.ElementType() != ElementType::Point) {
      throw LinkError(adaptor.Place(),
                      fmt::format("expected points as targets, found '{}' which are none", target.Caption()),
                      "use an area- or length-weighted mapping for lines and polygons");
    }
    if (source.ElementType() == ElementType::Polyhedron) {
      const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
      if (!target.HasZ() || IsGeographic(source.SpatialReferenceSystemWkt())) {
        throw LinkError(adaptor.Place(), "expected points with Z in the polyhedra's own Cartesian system, found others",
                        "give the points Z");
      }
      return {.weights = BodiesAtPoints(BodiesOf(source), places.target), .rows_sum_to_one = true};
    }
    if (source.ElementType() != ElementType::Polygon) {
      throw LinkError(
          adaptor.Place(),
          fmt::format("expected polygons or polyhedra as sources, found '{}' which are none", source.Caption()),
          "use 'nearest' for other elements");
    }
    const CommonPlane plane(adaptor.Place().item, source, target);
    const Polygons polygons = plane.PolygonsOf(source);
    return {.weights = PolygonsAtPoints(polygons.View(), plane.PointsOf(target)), .rows_sum_to_one = true};
  };
}

MapBy::Method MapPointsInPolygons(MapBy& adaptor, InPolygon gather) {
  return [&adaptor, gather](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    if (source.ElementType() != ElementType::Point || target.ElementType() != ElementType::Polygon) {
      throw LinkError(adaptor.Place(),
                      fmt::format("expected points as sources and polygons as targets, found '{}' and '{}'",
                                  source.Caption(), target.Caption()),
                      "use 'nearest' for other elements");
    }
    const CommonPlane plane(adaptor.Place().item, source, target);
    const Polygons polygons = plane.PolygonsOf(target);
    return {.weights = PointsInPolygons(plane.PointsOf(source), polygons.View(), gather),
            .rows_sum_to_one = gather == InPolygon::Mean};
  };
}

}  // namespace openmi
