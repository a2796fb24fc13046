#include "adaptors/kernels/SecondOrder.hpp"
#include "adaptors/space/Geometry.hpp"
#include "adaptors/space/Mappings.hpp"

namespace openmi {

MapBy::Method MapByArea(MapBy& adaptor, PolygonWeightKind kind) {
  return [&adaptor, kind](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const PolygonPair polygons = InOnePlane(adaptor.Place().item, source, target);
    PolygonOverlaps overlaps = FindOverlaps(polygons.source.View(), polygons.target.View(), adaptor.Threads());
    overlaps.areas = WithoutCopies(std::move(overlaps.areas), polygons);
    overlaps.source_areas.resize(polygons.source_count);
    SpatialMapping mapping;
    mapping.covered_source_area = overlaps.areas.ColumnSums();
    mapping.covered_target_area = overlaps.areas.RowSums();
    mapping.weights = MakePolygonWeights(std::move(overlaps), kind);
    mapping.rows_sum_to_one = kind == PolygonWeightKind::Mean;
    mapping.keeps_integral = kind == PolygonWeightKind::Mean;
    return mapping;
  };
}

MapBy::Method MapByAreaAndSlope(MapBy& adaptor) {
  return [&adaptor](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const PolygonPair polygons = InOnePlane(adaptor.Place().item, source, target);
    const EqualAreaSphere sphere = AuthalicSphere();
    Crew crew(adaptor.Threads());
    SecondOrderResult result = SecondOrderWeights(polygons.source.View(), polygons.target.View(),
                                                  polygons.on_sphere ? &sphere : nullptr, crew, polygons.copies);
    return {.weights = WithoutCopies(std::move(result.weights), polygons),
            .covered_source_area = WithoutCopies(std::move(result.source_cover), polygons),
            .covered_target_area = std::move(result.target_cover),
            .rows_sum_to_one = true};
  };
}

}  // namespace openmi
