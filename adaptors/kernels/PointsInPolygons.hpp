#pragma once

#include <array>
#include <span>
#include <vector>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Values of polygons at points: 1 for the polygon that a point lies in; 1/k for each of k polygons on whose rim it
/// lies and inside none of which it lies (ElementMapper600). \returns [points x polygons], columns rising; rows of
/// points outside are empty \throws RangeError  a coordinate that is not finite, or a polygon without an area
SparseRows PolygonsAtPoints(const PolygonsView& polygons, std::span<const Point> points);

/// What a polygon makes of the points in it.
enum class InPolygon {
  Mean,  ///< their mean (ElementMapper300)
  Sum    ///< their sum (ElementMapper301): a point counts in one polygon only
};

/// Values of points gathered in polygons. A point on an edge counts in the polygon below or to the left of it, so that
/// it counts once; one on the outer rim in the first polygon whose rim it is. \returns [polygons x points], columns
/// rising; rows of polygons without points are empty \throws RangeError  a coordinate that is not finite, or a polygon
/// without an area
SparseRows PointsInPolygons(std::span<const Point> points, const PolygonsView& polygons, InPolygon gather);

/// A body: its faces as triangles in space, counter-clockwise seen from outside.
struct Body {
  std::vector<std::array<Point3, 3>> faces;
};

/// Values of bodies at points in space: 1 for the body that a point lies in, 1/k for each of k bodies whose surface it
/// lies on. Decided by the solid angle under which the faces are seen, 4 pi inside [VanOosterom1983].
/// \returns [points x bodies], columns rising; rows of points outside are empty
SparseRows BodiesAtPoints(std::span<const Body> bodies, std::span<const Point3> points);

}  // namespace openmi
