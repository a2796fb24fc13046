#include "adaptors/kernels/Polygons.hpp"

#include <cmath>

namespace openmi {
namespace {

/// Twice the area of the triangle, positive where p lies to the left of a -> b.
double Side(Point a, Point b, Point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

struct Ring {
  std::span<const double> x;
  std::span<const double> y;

  Point At(std::size_t i) const { return {x[i], y[i]}; }

  PointPlace Locate(Point p) const { return LocateInRing(x, y, p); }

  bool Inside(const Ring& outer) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const PointPlace place = outer.Locate(At(i));
      if (place != PointPlace::OnEdge) return place == PointPlace::Inside;
    }
    // All vertices lie on the other ring, so the middles of the edges decide.
    for (std::size_t i = 0, j = x.size() - 1; i < x.size(); j = i++) {
      const PointPlace place = outer.Locate({0.5 * (x[i] + x[j]), 0.5 * (y[i] + y[j])});
      if (place != PointPlace::OnEdge) return place == PointPlace::Inside;
    }
    return false;
  }
};

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

std::vector<std::uint8_t> HolesByNesting(std::span<const double> x, std::span<const double> y,
                                         std::span<const std::uint32_t> ring_starts) {
  const std::size_t count = ring_starts.empty() ? 0 : ring_starts.size() - 1;
  const auto ring = [&](std::size_t i) {
    const std::size_t first = ring_starts[i];
    const std::size_t size = ring_starts[i + 1] - first;
    return Ring{x.subspan(first, size), y.subspan(first, size)};
  };
  std::vector<std::uint8_t> holes(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      if (i != j && !ring(i).x.empty() && !ring(j).x.empty() && ring(i).Inside(ring(j))) holes[i] ^= 1;
    }
  }
  return holes;
}

}  // namespace openmi
