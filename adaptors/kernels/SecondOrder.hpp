#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Second-order conservative weights, and what belongs to judging them.
struct SecondOrderResult {
  SparseRows weights;                ///< [target x source]; may be negative; a target's sum is 1
  std::vector<double> source_cover;  ///< area of each source that lies in targets; coordinate units squared
  std::vector<double> target_cover;  ///< area of each target that sources cover
};

/// Means of polygons from means of polygons, with a slope in each source: the value that a target takes from source s
/// is that of the linear function f_s + g_s (x - c_s) at the centroid x of their common area. c_s is the centroid of s,
/// and g_s the slope about it (`Slopes`).
///
/// Where the plane is the picture of a sphere, centroids are mean places on it (`SphereMean`) and slopes lie in the
/// tangential plane, so that nothing changes towards the poles.
///
/// Exact for linear functions where sources cover a target. Each source that lies in targets wholly gives all it has,
/// as the slope adds nothing about the centroid. Not monotone: targets may exceed the extremes of the sources. Source:
/// [Jones1999], with the slope fitted to neighbours.
/// \param sphere  the sphere that polygons in a cylindrical equal-area plane lie on; null: it is just a plane
/// \param crew    does not change the result
/// \param copies  the source that each of the last polygons of `source` is once more, a globe further: it has the slope
///                of that one, so that together they keep its total
/// \throws RangeError  as `FindOverlaps`
SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target,
                                     const EqualAreaSphere* sphere, Crew& crew,
                                     std::span<const std::uint32_t> copies = {});
/// The same in a plane, by the caller alone.
SecondOrderResult SecondOrderWeights(const PolygonsView& source, const PolygonsView& target);

/// The centroid of each polygon, parts and holes counted; shape [polygons]. Exact to rounding relative to the polygon's
/// own size.
/// \throws RangeError  a polygon without an area, or with a coordinate that is not finite
std::vector<Point> PolygonCentroids(const PolygonsView& polygons);

}  // namespace openmi
