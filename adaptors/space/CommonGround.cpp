#include "adaptors/space/CommonGround.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/space/Geometry.hpp"
#include "adaptors/space/Shapes.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

constexpr double kNearlyWhole = 1.0 - 1e-10;  // a share whole but for rounding leaves nothing outside

bool IsPlaced(ElementType type) {
  return type == ElementType::Point || type == ElementType::PolyLine || type == ElementType::Polygon;
}

}  // namespace

CommonGround::CommonGround(const std::string& who, const IElementSet& source, const IElementSet& target) {
  const ElementType from = source.ElementType();
  const ElementType to = target.ElementType();
  is_known_ = (to == ElementType::Polygon && IsPlaced(from)) || (to == ElementType::PolyLine && from == to);
  if (!is_known_) return;
  ElementSet transformed;
  const bool is_one_system =
      IsOneReferenceSystem(source.SpatialReferenceSystemWkt(), target.SpatialReferenceSystemWkt());
  if (!is_one_system) transformed = InReferenceSystem(source, target.SpatialReferenceSystemWkt());
  const IElementSet& placed = is_one_system ? source : transformed;
  if (from == ElementType::Polygon) {
    const PolygonPair polygons = InOnePlane(who, placed, target);
    PolygonOverlaps overlaps = FindOverlaps(polygons.source.View(), polygons.target.View());
    common_ = WithoutCopies(std::move(overlaps.areas), polygons);
    overlaps.source_areas.resize(polygons.source_count);
    source_areas_ = std::move(overlaps.source_areas);
    target_areas_ = std::move(overlaps.target_areas);
    whole_ = source_areas_;
    return;
  }
  const CommonPlane plane(who, placed, target);
  if (from == ElementType::Point) {
    common_ = PointsInPolygons(plane.PointsOf(placed), plane.PolygonsOf(target).View(), InPolygon::Sum);
    return;
  }
  const CommonPlane::Lines lines = plane.LinesOf(placed);
  whole_ = LineLengths(lines.View());
  common_ = to == ElementType::Polygon ? LengthsInPolygons(lines.View(), plane.PolygonsOf(target).View())
                                       : LengthsAlongLines(lines.View(), plane.LinesOf(target).View());
}

std::vector<double> CommonGround::SharesWithin(std::span<const double> counts) const {
  std::vector<double> shares(common_.Columns(), 0.0);
  for (std::size_t t = 0; t < common_.Rows(); ++t) {
    const auto columns = common_.ColumnsOf(t);
    const auto amounts = common_.WeightsOf(t);
    for (std::size_t k = 0; k < columns.size(); ++k) shares[columns[k]] += std::fabs(amounts[k]) * counts[t];
  }
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (!whole_.empty()) shares[s] = whole_[s] > 0.0 ? shares[s] / whole_[s] : 0.0;
    if (shares[s] > kNearlyWhole) shares[s] = 1.0;
  }
  return shares;
}

}  // namespace openmi
