#pragma once

#include <span>

#include "adaptors/kernels/Planar.hpp"

namespace openmi {

/// Coordinates of the origin within a cell, as weights of its corners: barycentric in a triangle, bilinear in a convex
/// quadrilateral, mean value coordinates [Floater2003] in any other polygon. All reproduce linear functions.
///
/// \param corners  in order, counter-clockwise; at least 3
/// \param weights  shape [corners]; not negative in convex cells, sum 1
/// \returns whether the origin lies in the cell, its rim included (within 1e-9 of the cell's size); else `weights` is
/// left as it is
bool CellCoordinates(std::span<const Point> corners, std::span<double> weights);

}  // namespace openmi
