#pragma once

#include <span>

#include "adaptors/kernels/Planar.hpp"

namespace openmi {

/// Computes the coordinates of the origin within a cell, as weights of its corners.
///
/// They are barycentric in a triangle, bilinear in a convex quadrilateral, and mean value coordinates in any other
/// polygon. All reproduce linear functions.
/// \param corners  in order, counter-clockwise; at least 3
/// \param weights  shape [corners]; not negative in convex cells, sum 1; unchanged if the origin is outside
/// \returns whether the origin lies in the cell, its edges included (within 1e-9 of the cell's size)
///
/// Source: [Zienkiewicz2013], shape functions of the linear triangle and the bilinear quadrilateral; [Floater2003] for
/// mean value coordinates.
bool CellCoordinates(std::span<const Point> corners, std::span<double> weights);

}  // namespace openmi
