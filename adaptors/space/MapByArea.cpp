#include "adaptors/space/MapByArea.hpp"

#include "adaptors/Geometry.hpp"

namespace openmi {

SpatialMapping MapByArea::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PolygonPair polygons = InOnePlane(Place().item, source, target);
  PolygonOverlaps overlaps = FindOverlaps(polygons.source.View(), polygons.target.View());
  SpatialMapping mapping;
  mapping.covered_source_area = overlaps.areas.ColumnSums();
  mapping.covered_target_area = overlaps.areas.RowSums();
  mapping.weights = MakePolygonWeights(std::move(overlaps), kind_);
  return mapping;
}

}  // namespace openmi
