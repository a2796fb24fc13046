#include <limits>
#include <optional>

#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {
namespace {

const ArgumentOptions<double> kRadius{
    .caption = "greatest distance, in units of the coordinates, on the earth in m; 0: any",
    .value = 0.0,
    .minimum = 0.0};

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

MapBy::Method MapNearest(MapBy& adaptor) {
  const auto furthest = adaptor.AddArgument<double>("radius", kRadius);
  return [&adaptor, furthest](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const double radius = Reach(furthest.Value());
    if (auto weights = BetweenPointsAndLines(adaptor.Place().item, source, target, radius, 0.0, 0)) {
      return {.weights = std::move(*weights), .rows_sum_to_one = true};
    }
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    if (places.space != Space::Plane || furthest.Value() > 0.0) {
      return {.weights = NearestPlaceWeights(places.source, places.target, radius), .rows_sum_to_one = true};
    }
    const auto flat = [](const std::vector<Point3>& in) {
      std::vector<Point> out;
      out.reserve(in.size());
      for (const Point3& p : in) out.push_back({p.x, p.y});
      return out;
    };
    return {.weights = NearestWeights(flat(places.source), flat(places.target)), .rows_sum_to_one = true};
  };
}

MapBy::Method MapToNearestTarget(MapBy& adaptor, Gather gather) {
  const auto furthest = adaptor.AddArgument<double>("radius", kRadius);
  return [&adaptor, gather, furthest](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    return {.weights = NearestTargetWeights(places.source, places.target, gather, Reach(furthest.Value())),
            .rows_sum_to_one = gather == Gather::Mean};
  };
}

MapBy::Method MapByInverseDistance(MapBy& adaptor) {
  const auto power =
      adaptor.AddArgument<double>("power", {.caption = "power of the distance", .value = 2.0, .minimum = 1e-3});
  const auto neighbours_given = adaptor.AddArgument<int>(
      "neighbours", {.caption = "number of nearest sources that count; 0: all", .value = 8, .minimum = 0});
  const auto furthest = adaptor.AddArgument<double>("radius", kRadius);
  return [&adaptor, power, neighbours_given, furthest](const IElementSet& source,
                                                       const IElementSet& target) -> SpatialMapping {
    const auto neighbours = static_cast<std::size_t>(neighbours_given.Value());
    const double radius = Reach(furthest.Value());
    if (auto weights = BetweenPointsAndLines(adaptor.Place().item, source, target, radius, power.Value(), neighbours)) {
      return {.weights = std::move(*weights), .rows_sum_to_one = true};
    }
    const PlacePair places = PlacesOf(adaptor.Place().item, source, target);
    return {.weights = InverseDistancePlaceWeights(
                places.source, places.target,
                {.neighbours = neighbours, .power = power.Value(), .radius = radius, .sphere = places.SphereRadius()}),
            .rows_sum_to_one = true};
  };
}

}  // namespace openmi
