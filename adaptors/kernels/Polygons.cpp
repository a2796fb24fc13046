#include "adaptors/kernels/Polygons.hpp"

namespace openmi {
namespace {

/// Twice the area of the triangle, positive where p lies to the left of a -> b.
double Side(Point a, Point b, Point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

}  // namespace

PointPlace LocateInRing(std::span<const double> x, std::span<const double> y, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = x.size() - 1; i < x.size(); j = i++) {
    const Point a{x[j], y[j]};
    const Point b{x[i], y[i]};
    if (a == p || b == p) return PointPlace::OnEdge;
    if (Side(a, b, p) == 0.0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
        p.y <= std::max(a.y, b.y)) {
      return PointPlace::OnEdge;
    }
    if ((a.y > p.y) != (b.y > p.y)) {
      const double side = Side(a, b, p);
      if (b.y > a.y ? side > 0.0 : side < 0.0) inside = !inside;
    }
  }
  return inside ? PointPlace::Inside : PointPlace::Outside;
}

PointPlace LocateInPolygon(const PolygonsView& polygons, std::size_t polygon, Point p) {
  bool inside = false;
  for (std::size_t ring = polygons.FirstRing(polygon); ring < polygons.EndRing(polygon); ++ring) {
    const std::size_t first = polygons.ring_starts[ring];
    const std::size_t size = polygons.ring_starts[ring + 1] - first;
    const PointPlace place = LocateInRing(polygons.x.subspan(first, size), polygons.y.subspan(first, size), p);
    if (place == PointPlace::OnEdge) return place;
    if (place == PointPlace::Inside) inside = !inside;
  }
  return inside ? PointPlace::Inside : PointPlace::Outside;
}

void Polygons::AddVertex(double x, double y) {
  x_.push_back(x);
  y_.push_back(y);
}

void Polygons::EndRing(bool hole) {
  ring_starts_.push_back(static_cast<std::uint32_t>(x_.size()));
  holes_.push_back(hole ? 1 : 0);
}

void Polygons::EndPolygon() {
  polygon_starts_.push_back(static_cast<std::uint32_t>(holes_.size()));
}

void Polygons::Add(std::span<const Point> ring) {
  for (Point p : ring) AddVertex(p.x, p.y);
  EndRing();
  EndPolygon();
}

}  // namespace openmi
