#pragma once

#include <array>
#include <span>
#include <vector>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Values of polygons at points: weight 1 for the polygon that a point lies in.
///
/// A point on the edges of k polygons, and inside none, takes 1/k of each (ElementMapper600).
/// \returns [points x polygons], columns rising; rows of points outside are empty
/// \throws RangeError  a coordinate that is not finite, or a polygon without an area
///
/// Source: [Shimrat1962], crossings of a ray with the edges.
SparseRows PolygonsAtPoints(const PolygonsView& polygons, std::span<const Point> points);

/// What a polygon makes of the points inside it.
enum class InPolygon {
  Mean,  ///< the mean (ElementMapper300)
  Sum    ///< the sum (ElementMapper301): a point counts in one polygon only
};

/// Values of points gathered in polygons.
///
/// A point on a common edge counts in the polygon below it or to the left of it, so that it counts once. A point on the
/// outer boundary counts in the first polygon that has it on an edge.
/// \returns [polygons x points], columns rising; rows of polygons without points are empty
/// \throws RangeError  a coordinate that is not finite, or a polygon without an area
SparseRows PointsInPolygons(std::span<const Point> points, const PolygonsView& polygons, InPolygon gather);

/// A body: its faces as triangles in space, counter-clockwise seen from outside.
struct Body {
  std::vector<std::array<Point3, 3>> faces;
};

/// Values of bodies at points in space: weight 1 for the body that a point lies in, 1/k for each of k bodies whose
/// surface it lies on.
///
/// The solid angle of the faces decides; it is 4 pi inside.
/// \returns [points x bodies], columns rising; rows of points outside are empty
///
/// Source: [VanOosterom1983], solid angle of a triangle.
SparseRows BodiesAtPoints(std::span<const Body> bodies, std::span<const Point3> points);

}  // namespace openmi
