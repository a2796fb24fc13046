#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"
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

/// Weights of the nearest source for each target, in space or on a sphere: 1/k for each of the k sources at the least
/// distance.
///
/// In a plane, `NearestWeights` does the same and is faster. Distances are equal if they differ by no more than 4
/// machine epsilons of the largest coordinate.
/// \returns [target x source], columns rising; rows sum to 1, but are empty where no source is within `radius`
/// \throws RangeError  a coordinate that is not finite
///
/// Source: [Friedman1977] for the search of nearest points.
SparseRows NearestPlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                               double radius = std::numeric_limits<double>::infinity());

/// What a target makes of several sources for which it is the nearest target.
enum class Gather {
  Mean,  ///< the mean: rows sum to 1
  Sum    ///< the sum: columns of sources within the radius sum to 1, so that the total is kept
};

/// Gives each source to its nearest target, equally near targets in equal parts. It gathers point data on a coarser
/// set.
///
/// \returns [target x source], columns rising; rows of targets that are nearest to no source are empty
/// \throws RangeError  a coordinate that is not finite
SparseRows NearestTargetWeights(std::span<const Point3> sources, std::span<const Point3> targets, Gather gather,
                                double radius = std::numeric_limits<double>::infinity());

/// Options of `InverseDistancePlaceWeights`.
struct InverseDistanceOptions {
  std::size_t neighbours = 8;                               ///< how many nearest sources count for a target; 0: all
  double power = 2.0;                                       ///< above 0
  double radius = std::numeric_limits<double>::infinity();  ///< sources further away do not count
  /// Radius of the sphere that the places lie on, whose distances are along great circles; 0: straight distances.
  double sphere = 0.0;
};

/// Inverse-distance weights: (1 / d^power) / sum over the chosen sources of (1 / d^power).
///
/// If sources lie exactly at a target, only they count, in equal parts. ElementMapper101 takes all sources and power 1.
/// \returns [target x source], columns rising; rows sum to 1, but are empty where no source is within the radius
/// \throws RangeError  a coordinate that is not finite
/// \throws ArgumentError  a power that is not above 0
///
/// Source: [Shepard1968].
SparseRows InverseDistancePlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                       const InverseDistanceOptions& options);

}  // namespace openmi
