#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// Weights of the nearest source for each target, in space or on a sphere: 1/k on the k sources at the least distance.
/// `NearestWeights` does the same in a plane, faster.
///
/// Distances are equal where they differ by no more than 4 machine epsilons of the largest coordinate.
/// \returns [target x source], columns rising; rows sum to 1, but are empty where no source is within `radius`
/// \throws RangeError  a coordinate that is not finite
SparseRows NearestPlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                               double radius = std::numeric_limits<double>::infinity());

/// What a target makes of the several sources that it is nearest to.
enum class Gather {
  Mean,  ///< their mean: rows sum to 1
  Sum    ///< their sum: columns sum to 1, so that the total is kept
};

/// Gives each source to its nearest target (of equally near ones in equal parts), as point data are gathered on a
/// coarser set. Targets that are nobody's nearest have empty rows.
/// \returns [target x source], columns rising
/// \throws RangeError  a coordinate that is not finite
SparseRows NearestTargetWeights(std::span<const Point3> sources, std::span<const Point3> targets, Gather gather,
                                double radius = std::numeric_limits<double>::infinity());

struct InverseDistanceOptions {
  std::size_t neighbours = 8;  ///< how many sources count for a target, the nearest ones; 0 takes all
  double power = 2.0;          ///< above 0
  double radius = std::numeric_limits<double>::infinity();  ///< sources further away do not count
  /// Radius of the sphere the places lie on: distances are along great circles; 0: straight distances.
  double sphere = 0.0;
};

/// Inverse-distance weights: (1 / d^power) / sum over the chosen sources of (1 / d^power); sources at the very place of
/// a target share it alone (ElementMapper101 takes all sources and power 1) [Shepard1968].
/// \returns [target x source], columns rising; rows sum to 1, but are empty where no source is within the radius
/// \throws RangeError     a coordinate that is not finite
/// \throws ArgumentError  a power that is not above 0
SparseRows InverseDistancePlaceWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                       const InverseDistanceOptions& options);

}  // namespace openmi
