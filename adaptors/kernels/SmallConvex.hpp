#pragma once

#include <cstddef>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Polygons.hpp"

namespace openmi {

/// A convex polygon of three to eight vertices, counter-clockwise, x and y apart for the vector unit: what nearly all
/// cells of grids and meshes are.
struct SmallConvex {
  static constexpr std::size_t kMost = 8;
  alignas(16) double x[kMost];
  alignas(16) double y[kMost];
  std::size_t count = 0;
};

/// What `MeasureSmall` finds out about a polygon.
struct SmallMeasure {
  Box box;
  double area = 0.0;       ///< coordinate units squared
  bool clockwise = false;  ///< as given
};

/// Measures a polygon if it is a small convex one: one ring without a bend that is straight or to the wrong side, no
/// vertex there twice but a repeated last one, all coordinates finite.
/// \returns false  it is none, and nothing is said of what it is
bool MeasureSmall(const PolygonsView& polygons, std::size_t index, SmallMeasure& measure);

/// Takes over a polygon that `MeasureSmall` accepted.
void LoadSmall(const PolygonsView& polygons, std::size_t index, bool clockwise, SmallConvex& polygon);

/// The area common to two of them, in coordinate units squared; 0 where they only touch. As `OverlapFinder`, which has
/// the rest: no tolerance but rounding relative to `common`, what both bounding boxes have in common.
double CommonArea(const SmallConvex& a, const SmallConvex& b, const Box& common);

}  // namespace openmi
