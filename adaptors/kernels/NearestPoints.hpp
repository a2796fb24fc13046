#pragma once

#include <cstddef>
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

/// Inverse-distance weights: (1 / d^power) / sum over the chosen sources of (1 / d^power).
///
/// If sources lie exactly at a target, only they count, in equal parts. ElementMapper101 takes all sources and power 1.
/// \param sources  [sources]; finite
/// \param targets  [targets]; finite; same unit
/// \param nearest  how many sources count for a target; 0 takes all, which gives dense rows; of sources at equal
///   distance the first ones
/// \param power  above 0; 1 is the mapper of the reference
/// \returns [target x source], columns rising; rows sum to 1
/// \throws RangeError  a coordinate that is not finite, or more than 2^32 - 1 weights
/// \throws ArgumentError  a power that is not above 0
///
/// Source: [Shepard1968].
SparseRows InverseDistanceWeights(std::span<const Point> sources, std::span<const Point> targets,
                                  std::size_t nearest = 0, double power = 1.0);

}  // namespace openmi
