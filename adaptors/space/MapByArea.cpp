#include "adaptors/space/MapByArea.hpp"

#include "adaptors/kernels/SecondOrder.hpp"
#include "adaptors/space/Geometry.hpp"

namespace openmi {

SpatialMapping MapByArea::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PolygonPair polygons = InOnePlane(Place().item, source, target);
  PolygonOverlaps overlaps = FindOverlaps(polygons.source.View(), polygons.target.View(), Threads());
  overlaps.areas = WithoutCopies(std::move(overlaps.areas), polygons);
  overlaps.source_areas.resize(polygons.source_count);
  SpatialMapping mapping;
  mapping.covered_source_area = overlaps.areas.ColumnSums();
  mapping.covered_target_area = overlaps.areas.RowSums();
  mapping.weights = MakePolygonWeights(std::move(overlaps), kind_);
  mapping.rows_sum_to_one = kind_ == PolygonWeightKind::Mean;
  mapping.keeps_integral = kind_ == PolygonWeightKind::Mean;
  return mapping;
}

SpatialMapping MapByAreaAndSlope::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PolygonPair polygons = InOnePlane(Place().item, source, target);
  const EqualAreaSphere sphere = AuthalicSphere();
  Crew crew(Threads());
  SecondOrderResult result = SecondOrderWeights(polygons.source.View(), polygons.target.View(),
                                                polygons.on_sphere ? &sphere : nullptr, crew, polygons.copies);
  return {.weights = WithoutCopies(std::move(result.weights), polygons),
          .covered_source_area = WithoutCopies(std::move(result.source_cover), polygons),
          .covered_target_area = std::move(result.target_cover),
          .rows_sum_to_one = true};
}

}  // namespace openmi
