#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Planar.hpp"

namespace openmi {

/// Many polygons in flat arrays, borrowed.
///
/// A polygon has one or more rings. Rings may have either orientation and may repeat their first vertex at the end.
/// Parts must not overlap; holes lie inside a part.
struct PolygonsView {
  std::span<const double> x;                      ///< vertices, ring after ring
  std::span<const double> y;                      ///< same shape
  std::span<const std::uint32_t> ring_starts;     ///< first vertex of each ring, and the number of vertices at the end
  std::span<const std::uint32_t> polygon_starts;  ///< first ring of each polygon, and the number of rings at the end;
                                                  ///< empty: one ring each
  std::span<const std::uint8_t> holes;            ///< for each ring, not 0 for a hole; empty: no holes

  std::size_t Count() const {
    const std::size_t starts = polygon_starts.empty() ? ring_starts.size() : polygon_starts.size();
    return starts == 0 ? 0 : starts - 1;
  }
  std::size_t FirstRing(std::size_t polygon) const {
    return polygon_starts.empty() ? polygon : polygon_starts[polygon];
  }
  std::size_t EndRing(std::size_t polygon) const {
    return polygon_starts.empty() ? polygon + 1 : polygon_starts[polygon + 1];
  }
  bool IsHole(std::size_t ring) const { return !holes.empty() && holes[ring] != 0; }
};

/// Where a point lies relative to a ring or polygon.
enum class PointPlace { Outside, Inside, OnEdge };

/// Where a point lies relative to a ring, by even-odd crossings. It is on an edge only if it lies on it exactly.
///
/// Source: [Shimrat1962].
PointPlace LocateInRing(std::span<const double> x, std::span<const double> y, Point p);
/// Where a point lies relative to a polygon with its parts and holes.
PointPlace LocateInPolygon(const PolygonsView& polygons, std::size_t polygon, Point p);

/// Polygons that own their arrays; built ring by ring.
class Polygons {
 public:
  Polygons() : ring_starts_{0}, polygon_starts_{0} {}

  /// Adds a vertex to the ring that the next `EndRing` closes.
  void AddVertex(double x, double y);
  /// Closes the ring that has all vertices since the last one.
  void EndRing(bool hole = false);
  /// Closes the polygon: it has all rings since the last one.
  void EndPolygon();
  /// Adds a polygon of one ring.
  void Add(std::span<const Point> ring);

  std::size_t Count() const { return polygon_starts_.size() - 1; }
  /// The polygons; valid until something is added.
  PolygonsView View() const { return {x_, y_, ring_starts_, polygon_starts_, holes_}; }

 private:
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<std::uint32_t> ring_starts_;
  std::vector<std::uint32_t> polygon_starts_;
  std::vector<std::uint8_t> holes_;
};

}  // namespace openmi
