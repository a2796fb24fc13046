#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// A polygon prepared for overlaps: repeated vertices are dropped; its orientation and whether it is convex are known.
struct PreparedPolygon {
  struct Ring {
    std::uint32_t begin;  ///< first vertex
    std::uint32_t end;    ///< one beyond the last vertex
    double sign;          ///< +1 where the ring adds area in its stored order, -1 where it takes area away
  };
  std::vector<Point> points;  ///< as given; a convex polygon runs counter-clockwise
  std::vector<Ring> rings;
  /// An edge that is not vertical, from left to right; the inside lies below it (sign +1) or above it (-1).
  struct Edge {
    Point left;
    Point right;
    double sign;
  };
  Box box;
  double area = 0.0;  ///< parts minus holes, in coordinate units squared
  bool convex = false;
  bool reversed = false;  ///< convex, and given clockwise
  bool verbatim = false;  ///< convex, and only a repeated last vertex was dropped

  /// Prepares the polygon with an index. The memory is used again; later calls allocate nothing.
  ///
  /// \throws RangeError  a coordinate is not finite, or the area is not above 0 (fewer than three different vertices,
  ///   all on one line, holes as large as the parts); the message gives the index
  void Prepare(const PolygonsView& polygons, std::size_t index);
  /// The same; the message begins with `side`, the name of the polygons.
  void Prepare(const PolygonsView& polygons, std::size_t index, const char* side);
  /// Prepares a polygon that was found `verbatim` before, in a fraction of the time; does not set the area.
  void PrepareVerbatim(const PolygonsView& polygons, std::size_t index, bool clockwise);

  /// Calls `visit(edge)` for each edge with a part over x0 < x < x1, and perhaps for some more.
  ///
  /// Polygons with many vertices sort their edges into vertical strips for this, so that a small neighbour costs
  /// little.
  template <typename Visit>
  void EdgesOver(double x0, double x1, Visit&& visit) const;

 private:
  void SortIntoStrips();
  std::size_t StripOf(double x) const;
  template <typename Visit>
  void EachEdge(Visit&& visit) const;

  std::vector<std::uint32_t> strip_starts_;  // empty: few vertices, no strips
  std::vector<Edge> strip_edges_;            // an edge is in each strip that it touches
};

template <typename Visit>
void PreparedPolygon::EachEdge(Visit&& visit) const {
  for (const Ring& ring : rings) {
    Point last = points[ring.end - 1];
    for (std::uint32_t i = ring.begin; i < ring.end; ++i) {
      const Point next = points[i];
      // In counter-clockwise order, the inside lies below the edges that run to the left.
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

/// Computes the areas common to two polygons. An object holds work memory; each thread needs its own.
///
/// There is no tolerance in coordinate units: the coordinates count as exact, and both polygons are moved next to the
/// origin first. What remains is rounding relative to the overlap of the two bounding boxes (some 1e-15 of its area). A
/// smaller overlap counts as none.
///
/// Convex pairs are clipped edge by edge. All others are summed up. With 1_A(p) the signed sum over the edges e of A of
/// "p lies below e", the common area is
///
///     sum over edges e of A, f of B of  sign(e) sign(f) * integral of min(e(x), f(x)) dx
///
/// over the x that e and f share. The sum holds for concave polygons, holes and parts alike, needs no special cases for
/// touching or repeated vertices, and is exact but for rounding. Rings that cross themselves count each point as often
/// as they wind around it.
///
/// Source: [SutherlandHodgman1974] for convex pairs; the sum is the integral of 1_A(p) 1_B(p), written out.
class OverlapFinder {
 public:
  /// The common area of two polygons.
  /// \returns in coordinate units squared; 0 where they only touch
  double Area(const PreparedPolygon& a, const PreparedPolygon& b);

  /// The common area of two convex rings that run counter-clockwise.
  /// \param a  the first ring
  /// \param b  the second ring
  /// \param common  the common part of both bounding boxes
  double ConvexArea(std::span<const Point> a, std::span<const Point> b, const Box& common);

  /// The common area of two polygons, and where it lies.
  struct Overlap {
    double area;     ///< as `Area`
    Point centroid;  ///< in coordinate units; any place if the area is 0
  };
  /// Computes area and centroid of the common part.
  Overlap AreaAndCentroid(const PreparedPolygon& a, const PreparedPolygon& b);

  /// The common area in a cylindrical equal-area plane, with the mean place on the unit sphere (`SphereMean`).
  struct SphereOverlap {
    double area;  ///< as `Area`
    Point3 mean;  ///< the origin if the area is 0
  };
  /// Computes area and mean place of the common part.
  SphereOverlap AreaAndMean(const PreparedPolygon& a, const PreparedPolygon& b, const EqualAreaSphere& sphere);

 private:
  /// A piece of an edge inside the common box; x and y are relative to its lower left corner; x0 < x1.
  struct Piece {
    double x0, x1, y0, y1, sign;
  };
  /// Clips a by b.
  /// \returns the remaining ring, relative to the lower left corner of the common box; fewer than three points: none
  ///   remains
  std::span<const Point> Clip(std::span<const Point> a, std::span<const Point> b, const Box& common);
  /// Calls `visit(sign, x, width, a0, a1, b0, b1)` for each stretch over which pieces of both polygons run; a and b are
  /// the heights at its ends, relative to the common box.
  template <typename Visit>
  void Sweep(const PreparedPolygon& a, const PreparedPolygon& b, const Box& common, Visit&& visit);
  /// Calls `visit(sign, x, width, y0, y1)` for strips whose signed sum is the common part.
  ///
  /// A strip lies under a straight line from the height y0 at x to y1 at x + width, relative to the common box.
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

/// The planar area of each polygon, in coordinate units squared; shape [polygons].
/// \throws RangeError  as `PreparedPolygon::Prepare`
std::vector<double> PolygonAreas(const PolygonsView& polygons);

}  // namespace openmi
