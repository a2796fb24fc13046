#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"

namespace openmi {

/// The triangles of Delaunay between places in a plane, or on a sphere about the origin (there the faces of their
/// convex hull that do not look inwards), found by Qhull. Counter-clockwise, seen from above or from outside. \param
/// places  all different; finite \throws RangeError  fewer than three places, or all on one line (in a plane or on a
/// great circle) \note  n log n for usual arrangements
std::vector<std::array<std::uint32_t, 3>> DelaunayTriangles(std::span<const Point3> places, Space space);

}  // namespace openmi
