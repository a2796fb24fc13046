#pragma once

#include <cstddef>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// A convex polygon of three to eight vertices, counter-clockwise, with x and y in separate arrays for vector
/// instructions.
///
/// Nearly all cells of grids and meshes are such polygons.
///
/// Source: [SutherlandHodgman1974], clipping edge by edge.
struct SmallConvex {
  static constexpr std::size_t kMost = 8;
  alignas(16) double x[kMost];
  alignas(16) double y[kMost];
  std::size_t count = 0;
};

/// The result of `MeasureSmall`.
struct SmallMeasure {
  Box box;
  double area = 0.0;       ///< coordinate units squared
  bool clockwise = false;  ///< in the order given
};

/// Measures a polygon if it is a small convex one: one ring, strictly convex, no vertex twice but a repeated last one,
/// all coordinates finite.
/// \returns false if the polygon is no such one; `measure` is then of no use
bool MeasureSmall(const PolygonsView& polygons, std::size_t index, SmallMeasure& measure);

/// Copies a polygon that `MeasureSmall` accepted, counter-clockwise.
void LoadSmall(const PolygonsView& polygons, std::size_t index, bool clockwise, SmallConvex& polygon);

/// The area common to two polygons, in coordinate units squared; 0 where they only touch.
///
/// There is no tolerance but rounding, as in `OverlapFinder`, which serves all other polygons.
/// \param a  the first polygon
/// \param b  the second polygon
/// \param common  the common part of both bounding boxes; rounding is relative to it
double CommonArea(const SmallConvex& a, const SmallConvex& b, const Box& common);

}  // namespace openmi
