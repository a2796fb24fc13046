#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// One polygon made ready for overlaps: repeated vertices dropped, orientation known, convex or not known.
struct PreparedPolygon {
  struct Ring {
    std::uint32_t begin;  ///< first vertex
    std::uint32_t end;    ///< behind the last vertex
    double sign;          ///< +1 where the ring adds area if walked as stored, -1 where it takes area away
  };
  std::vector<Point> points;  ///< as given; a convex polygon runs counter-clockwise
  std::vector<Ring> rings;
  /// An edge that is not upright, from left to right; the inside lies below it (sign +1) or above it (-1).
  struct Edge {
    Point left;
    Point right;
    double sign;
  };
  Box box;
  double area = 0.0;  ///< parts minus holes, in coordinate units squared
  bool convex = false;
  bool reversed = false;  ///< convex, and given clockwise
  bool verbatim = false;  ///< convex, and nothing was dropped but a repeated last vertex

  /// Makes this one the polygon with an index. Keeps its memory, so that after a while nothing is allocated.
  /// \throws RangeError  a coordinate is not finite, or the area is not above 0 (fewer than three different vertices,
  /// all on
  ///                     one line, holes as large as the parts); the message has the index
  void Prepare(const PolygonsView& polygons, std::size_t index);
  /// The same for a polygon that was found `verbatim` before, in a fraction of the time; leaves the area out.
  void PrepareVerbatim(const PolygonsView& polygons, std::size_t index, bool clockwise);

  /// Calls `visit(edge)` for each edge with a part over x0 < x < x1, and perhaps for some more. Polygons with many
  /// vertices keep their edges in upright strips for that, so that a small neighbour costs little.
  template <typename Visit>
  void EdgesOver(double x0, double x1, Visit&& visit) const;

 private:
  void SortIntoStrips();
  std::size_t StripOf(double x) const;
  template <typename Visit>
  void EachEdge(Visit&& visit) const;

  std::vector<std::uint32_t> strip_starts_;  // empty: few vertices, no strips
  std::vector<Edge> strip_edges_;            // an edge stands in each strip that it touches
};

template <typename Visit>
void PreparedPolygon::EachEdge(Visit&& visit) const {
  for (const Ring& ring : rings) {
    Point last = points[ring.end - 1];
    for (std::uint32_t i = ring.begin; i < ring.end; ++i) {
      const Point next = points[i];
      // Walked counter-clockwise, the inside lies below the edges that run to the left.
      if (next.x < last.x) visit(Edge{next, last, ring.sign});
      if (next.x > last.x) visit(Edge{last, next, -ring.sign});
      last = next;
    }
  }
}

template <typename Visit>
void PreparedPolygon::EdgesOver(double x0, double x1, Visit&& visit) const {
  if (strip_starts_.empty()) return EachEdge(visit);
  const std::size_t first = StripOf(x0);
  const std::size_t last = StripOf(x1);
  for (std::size_t strip = first; strip <= last; ++strip) {
    for (std::uint32_t i = strip_starts_[strip]; i < strip_starts_[strip + 1]; ++i) {
      // Only once, in the first strip that both touch.
      if (std::max(first, StripOf(strip_edges_[i].left.x)) == strip) visit(strip_edges_[i]);
    }
  }
}

/// Areas common to two polygons. Holds the memory that takes, for one thread.
///
/// No tolerance in coordinate units anywhere: the coordinates are taken as exact, both polygons are moved next to the
/// origin first, and what is left is rounding relative to the overlap of the two bounding boxes (some 1e-15 of its
/// area). Overlaps below that are no overlaps.
///
/// Convex pairs are clipped edge by edge [SutherlandHodgman1974]. All others are summed up: with 1_A(p) the signed sum
/// over the edges e of A of "p lies below e", the common area is
///   sum over edges e of A, f of B of  sign(e) sign(f) * integral of min(e(x), f(x)) dx
/// over the x that e and f share. That holds for concave polygons, holes and parts alike, has no special cases for
/// touching or repeated vertices, and is exact but for rounding. Rings that cross themselves count each point as often
/// as it is wound around.
class OverlapFinder {
 public:
  /// \returns area of the intersection, in coordinate units squared; 0 where they only touch
  double Area(const PreparedPolygon& a, const PreparedPolygon& b);

  /// The same for two convex rings that run counter-clockwise.
  double ConvexArea(std::span<const Point> a, std::span<const Point> b, const Box& common);

  /// What two polygons have in common, and where.
  struct Overlap {
    double area;     ///< as `Area` has it
    Point centroid;  ///< in coordinate units; somewhere where there is no area
  };
  Overlap AreaAndCentroid(const PreparedPolygon& a, const PreparedPolygon& b);

  /// The same of a cylindrical equal-area plane, with the mean place on the unit sphere (`SphereMean`).
  struct SphereOverlap {
    double area;  ///< as `Area` has it
    Point3 mean;  ///< the origin where there is no area
  };
  SphereOverlap AreaAndMean(const PreparedPolygon& a, const PreparedPolygon& b, const EqualAreaSphere& sphere);

 private:
  /// A piece of an edge inside the common box; x and y relative to its lower left corner, x0 < x1.
  struct Piece {
    double x0, x1, y0, y1, sign;
  };
  /// Clips a by b; the ring that is left, relative to the lower left corner of the common box. Fewer than three: none.
  std::span<const Point> Clip(std::span<const Point> a, std::span<const Point> b, const Box& common);
  /// Calls `visit(sign, x, width, a0, a1, b0, b1)` for each stretch over which a piece of either polygon runs: the
  /// heights of both at its ends, relative to the common box.
  template <typename Visit>
  void Sweep(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common, Visit&& visit);
  /// Calls `visit(sign, x, width, y0, y1)` for strips of which the common part is the signed sum: under a straight line
  /// from the height y0 at x to y1 at x + width, relative to the common box.
  template <typename Visit>
  void Strips(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common, Visit&& visit);
  double SweepNoise(const Box& common) const;
  static void CutEdges(const PreparedPolygon& polygon, const Box& box, std::vector<Piece>& pieces);
  double GeneralArea(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common);

  std::vector<Point> subject_;
  std::vector<Point> clipped_;
  std::vector<Point> clip_;
  std::vector<double> sides_;
  std::vector<Piece> pieces_a_;
  std::vector<Piece> pieces_b_;
  std::vector<const Piece*> open_a_;
  std::vector<const Piece*> open_b_;
};

/// The planar area of every polygon, in coordinate units squared; shape [polygons].
/// \throws RangeError  as `PreparedPolygon::Prepare`
std::vector<double> PolygonAreas(const PolygonsView& polygons);

}  // namespace openmi
