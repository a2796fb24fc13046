#include "adaptors/space/MapNearest.hpp"

#include <limits>
#include <optional>

#include "adaptors/kernels/NearestPoints.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {
namespace {

const ArgumentOptions<double> kRadius{
    .caption = "furthest distance: coordinate units, m on the earth; 0: any", .value = 0.0, .minimum = 0.0};

double Reach(double radius) {
  return radius > 0.0 ? radius : std::numeric_limits<double>::infinity();
}

/// Weights by the distance of points from lines, if one set has points and the other lines; power 0 takes the nearest
/// source.
std::optional<SparseRows> BetweenPointsAndLines(const std::string& adaptor, const IElementSet& source,
                                                const IElementSet& target, double radius, double power,
                                                std::size_t neighbours) {
  const bool from_lines = source.ElementType() == ElementType::PolyLine && target.ElementType() == ElementType::Point;
  const bool to_lines = source.ElementType() == ElementType::Point && target.ElementType() == ElementType::PolyLine;
  if (!from_lines && !to_lines) return std::nullopt;
  const CommonPlane plane(adaptor, source, target);
  CommonPlane::Lines lines = plane.LinesOf(from_lines ? source : target);
  std::vector<Point> points = plane.PointsOf(from_lines ? target : source);
  for (Point& p : lines.points) p = plane.InLengths(p);
  for (Point& p : points) p = plane.InLengths(p);
  return LineDistanceWeights(
      lines.View(), points,
      {.lines_are_sources = from_lines, .power = power, .neighbours = neighbours, .radius = radius});
}

}  // namespace

MapNearest::MapNearest(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  radius_ = AddArgument<double>("radius", kRadius);
}

SpatialMapping MapNearest::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const double radius = Reach(radius_.Value());
  if (auto weights = BetweenPointsAndLines(Place().item, source, target, radius, 0.0, 0)) {
    return {.weights = std::move(*weights), .rows_sum_to_one = true};
  }
  const PlacePair places = PlacesOf(Place().item, source, target);
  if (places.space != Space::Plane || radius_.Value() > 0.0) {
    return {.weights = NearestPlaceWeights(places.source, places.target, radius), .rows_sum_to_one = true};
  }
  const auto flat = [](const std::vector<Point3>& in) {
    std::vector<Point> out;
    out.reserve(in.size());
    for (const Point3& p : in) out.push_back({p.x, p.y});
    return out;
  };
  return {.weights = NearestWeights(flat(places.source), flat(places.target)), .rows_sum_to_one = true};
}

MapToNearestTarget::MapToNearestTarget(std::string id, IBaseOutput& adaptee, const IBaseInput* target, Gather gather)
    : SpatialAdaptor(std::move(id), adaptee, target, gather == Gather::Sum ? Carries::Extensive : Carries::Intensive),
      gather_(gather) {
  radius_ = AddArgument<double>("radius", kRadius);
}

SpatialMapping MapToNearestTarget::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const PlacePair places = PlacesOf(Place().item, source, target);
  return {.weights = NearestTargetWeights(places.source, places.target, gather_, Reach(radius_.Value())),
          .rows_sum_to_one = gather_ == Gather::Mean};
}

MapByInverseDistance::MapByInverseDistance(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : SpatialAdaptor(std::move(id), adaptee, target) {
  power_ = AddArgument<double>("power", {.caption = "power of the distance", .value = 2.0, .minimum = 1e-3});
  neighbours_ = AddArgument<int>(
      "neighbours", {.caption = "how many sources count, the nearest ones; 0: all", .value = 8, .minimum = 0});
  radius_ = AddArgument<double>("radius", kRadius);
}

SpatialMapping MapByInverseDistance::MakeMapping(const IElementSet& source, const IElementSet& target) const {
  const auto neighbours = static_cast<std::size_t>(neighbours_.Value());
  const double radius = Reach(radius_.Value());
  if (auto weights = BetweenPointsAndLines(Place().item, source, target, radius, power_.Value(), neighbours)) {
    return {.weights = std::move(*weights), .rows_sum_to_one = true};
  }
  const PlacePair places = PlacesOf(Place().item, source, target);
  return {.weights = InverseDistancePlaceWeights(
              places.source, places.target,
              {.neighbours = neighbours, .power = power_.Value(), .radius = radius, .sphere = places.SphereRadius()}),
          .rows_sum_to_one = true};
}

}  // namespace openmi
