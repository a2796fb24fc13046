#pragma once

#include <span>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Weights of the nearest source for each target: 1/k for each of the k sources at the least distance
/// (ElementMapper100).
///
/// Distances are equal if they differ by no more than the rounding of the coordinates (4 machine epsilons of the
/// largest coordinate), so that symmetric grids tie at any offset.
/// \param sources  [sources]; finite
/// \param targets  [targets]; finite; same unit
/// \returns [target x source], columns rising; rows sum to 1, but are empty if there are no sources
/// \throws RangeError  a coordinate that is not finite
/// \note  n log n, also for clusters and points on a line.
///
/// Source: [Bentley1980] for the search of nearest points in cells.
SparseRows NearestWeights(std::span<const Point> sources, std::span<const Point> targets);

}  // namespace openmi
