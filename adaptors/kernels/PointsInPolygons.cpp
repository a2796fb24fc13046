#include "adaptors/kernels/PointsInPolygons.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "adaptors/kernels/BoxIndex.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "adaptors/kernels/PolygonClip.hpp"

namespace openmi {
namespace {

BoxIndex IndexOf(const PolygonsView& polygons) {
  std::vector<Box> boxes(polygons.Count());
  PreparedPolygon polygon;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    polygon.Prepare(polygons, i);
    boxes[i] = polygon.box;
  }
  return BoxIndex(boxes);
}

void RequireFinitePoints(std::span<const Point> points) {
  for (const Point& p : points) {
    const Point3 place{p.x, p.y, 0.0};
    RequireFinite(std::span(&place, 1), "a");
  }
}

/// Even-odd crossings, so that the edges above and to the right of a polygon belong to it.
bool LiesInHalfOpen(const PolygonsView& polygons, std::size_t polygon, Point p) {
  bool inside = false;
  for (std::size_t ring = polygons.FirstRing(polygon); ring < polygons.EndRing(polygon); ++ring) {
    const std::size_t first = polygons.ring_starts[ring];
    const std::size_t end = polygons.ring_starts[ring + 1];
    for (std::size_t i = first, j = end - 1; i < end; j = i++) {
      const Point a{polygons.x[j], polygons.y[j]};
      const Point b{polygons.x[i], polygons.y[i]};
      if ((a.y < p.y) == (b.y < p.y)) continue;
      const double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);  // > 0: p is left of a -> b
      if (b.y > a.y ? side >= 0.0 : side <= 0.0) inside = !inside;
    }
  }
  return inside;
}

/// Finds the polygons near each point, one point after the other.
std::vector<std::uint32_t>& Near(const BoxIndex& index, Point p, std::vector<std::uint32_t>& found) {
  found.clear();
  index.Overlapping({p.x, p.y, p.x, p.y}, [&](std::size_t i) { found.push_back(static_cast<std::uint32_t>(i)); });
  std::sort(found.begin(), found.end());
  return found;
}

void AddShared(std::span<const std::uint32_t> columns, SparseRows& rows) {
  for (const std::uint32_t column : columns) rows.Add(column, 1.0 / static_cast<double>(columns.size()));
  rows.EndRow();
}

}  // namespace

SparseRows PolygonsAtPoints(const PolygonsView& polygons, std::span<const Point> points) {
  RequireFinitePoints(points);
  const BoxIndex index = IndexOf(polygons);
  SparseRows rows(polygons.Count());
  rows.Reserve(points.size(), points.size());
  std::vector<std::uint32_t> near;
  std::vector<std::uint32_t> inside;
  std::vector<std::uint32_t> touching;
  for (const Point& p : points) {
    inside.clear();
    touching.clear();
    for (const std::uint32_t i : Near(index, p, near)) {
      const PointPlace place = LocateInPolygon(polygons, i, p);
      if (place == PointPlace::Inside) inside.push_back(i);
      if (place == PointPlace::OnEdge) touching.push_back(i);
    }
    AddShared(inside.empty() ? touching : inside, rows);
  }
  return rows;
}

SparseRows PointsInPolygons(std::span<const Point> points, const PolygonsView& polygons, InPolygon gather) {
  RequireFinitePoints(points);
  const BoxIndex index = IndexOf(polygons);
  std::vector<std::vector<std::uint32_t>> members(polygons.Count());
  std::vector<std::uint32_t> near;
  for (std::uint32_t k = 0; k < points.size(); ++k) {
    const Point p = points[k];
    Near(index, p, near);
    auto owner = std::ranges::find_if(near, [&](std::uint32_t i) { return LiesInHalfOpen(polygons, i, p); });
    if (owner == near.end()) {
      owner = std::ranges::find_if(
          near, [&](std::uint32_t i) { return LocateInPolygon(polygons, i, p) == PointPlace::OnEdge; });
    }
    if (owner != near.end()) members[*owner].push_back(k);
  }
  SparseRows rows(points.size());
  rows.Reserve(polygons.Count(), points.size());
  for (const std::vector<std::uint32_t>& list : members) {
    const double weight = gather == InPolygon::Mean ? 1.0 / static_cast<double>(list.size()) : 1.0;
    for (const std::uint32_t point : list) rows.Add(point, weight);
    rows.EndRow();
  }
  return rows;
}

SparseRows BodiesAtPoints(std::span<const Body> bodies, std::span<const Point3> points) {
  RequireFinite(points, "target");
  SparseRows rows(bodies.size());
  std::vector<std::uint32_t> inside;
  std::vector<std::uint32_t> touching;
  for (const Point3& p : points) {
    inside.clear();
    touching.clear();
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      double angle = 0.0;
      bool on_face = false;
      for (const std::array<Point3, 3>& face : bodies[i].faces) {
        const Point3 a = face[0] - p;
        const Point3 b = face[1] - p;
        const Point3 c = face[2] - p;
        const double la = Norm(a);
        const double lb = Norm(b);
        const double lc = Norm(c);
        const double volume = Dot(a, Cross(b, c));
        const double below = la * lb * lc + Dot(a, b) * lc + Dot(a, c) * lb + Dot(b, c) * la;
        // In the plane of the face, the angle is 0 outside it, 2 pi inside it, and undefined on its edges.
        const double size = std::max({la, lb, lc});
        on_face = on_face || (std::abs(volume) <= 1e-12 * size * size * size && below <= 1e-12 * size * size * size);
        angle += 2.0 * std::atan2(volume, below);
      }
      if (on_face) {
        touching.push_back(i);
      } else if (angle > 2.0 * std::numbers::pi) {
        inside.push_back(i);
      }
    }
    AddShared(inside.empty() ? touching : inside, rows);
  }
  return rows;
}

}  // namespace openmi
