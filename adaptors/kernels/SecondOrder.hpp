#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Second-order conservative weights, and the areas to judge them by.
struct SecondOrderResult {
  SparseRows weights;                ///< [target x source]; may be negative; a target's sum is 1
  std::vector<double> source_cover;  ///< area of each source that lies in targets; coordinate units squared
  std::vector<double> target_cover;  ///< area of each target that sources cover
};

/// Means of polygons from means of polygons, with a slope in each source.
///
/// A target takes from source s the value of the linear function f_s + g_s (x - c_s) at the centroid x of their common
/// area. c_s is the centroid of s, and g_s the slope about it (`Slopes`).
///
/// Where the plane shows a sphere, centroids are mean places on the sphere (`SphereMean`), and slopes lie in the
/// tangential plane. The method is then the same up to the poles.
///
/// It is exact for linear functions where sources cover a target. A source that lies wholly in targets gives its whole
/// amount, as the slope adds nothing about the centroid. It is not monotone: targets may exceed the extremes of the
/// sources.
/// \param source  the polygons with values
/// \param target  the polygons that get values
/// \param sphere  the sphere that a cylindrical equal-area plane shows; null: an ordinary plane
/// \param crew  does not change the result
/// \param copies  for each of the last polygons of `source`, which repeat a source one globe further: the index of that
///   source. Both have the same slope, so that together they keep the total
/// \throws RangeError  as `FindOverlaps`
///
/// Source: [Jones1999], second order, with the slope fitted to neighbours.
SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target,
                                     const EqualAreaSphere* sphere, Crew& crew,
                                     std::span<const std::uint32_t> copies = {});
/// Second-order weights in a plane, computed by the calling thread alone.
SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target);

/// The centroid of each polygon with its parts and holes; shape [polygons]. Exact but for rounding relative to the
/// polygon's size.
/// \throws RangeError  a polygon without an area, or with a coordinate that is not finite
std::vector<Point> PolygonCentroids(const PolygonsView& polygons);

}  // namespace openmi
