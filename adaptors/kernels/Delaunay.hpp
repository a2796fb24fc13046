#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"

namespace openmi {

/// The Delaunay triangles between places in a plane, or on a sphere about the origin.
///
/// On the sphere they are the faces of the convex hull that do not look inwards. Qhull finds them. They run
/// counter-clockwise, seen from above or from outside.
/// \param places  all different; finite
/// \param space  Plane or Sphere
/// \returns for each triangle the indices of its three places
/// \throws RangeError  fewer than three places, or all on one line (in a plane or on a great circle)
/// \note  n log n for usual arrangements.
///
/// Source: [Barber1996] for the convex hull; [Brown1979] for Delaunay triangles from it.
std::vector<std::array<std::uint32_t, 3>> DelaunayTriangles(std::span<const Point3> places, Space space);

}  // namespace openmi
