#pragma once

#include <span>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A function of the distance alone, r = distance / scale.
///
/// Source: [Wendland2004], ch. 8, and ch. 9 for compact support.
enum class RadialFunction {
  ThinPlate,            ///< r^2 log r; needs no scale
  Cubic,                ///< r^3; needs no scale
  Gaussian,             ///< exp(-r^2)
  Multiquadric,         ///< sqrt(1 + r^2)
  InverseMultiquadric,  ///< 1 / sqrt(1 + r^2)
  WendlandC2,           ///< (1-r)^4 (4r + 1), 0 for r >= 1
  WendlandC4,           ///< (1-r)^6 (35r^2 + 18r + 3) / 3, 0 for r >= 1
  WendlandC6            ///< (1-r)^8 (32r^3 + 25r^2 + 8r + 1), 0 for r >= 1
};
/// The value of a function at r; r is not negative.
double Evaluate(RadialFunction function, double r);

/// Weights from systems of equations, and the condition of these systems.
struct SolvedWeights {
  SparseRows weights;      ///< [target x source]
  double condition = 1.0;  ///< the largest condition number (1-norm, estimated) of the systems
};

/// The largest number of sources in one global system: 4000 take some seconds.
inline constexpr std::size_t kMostInOneSystem = 4000;

/// Options of `RadialBasisWeights`.
struct RadialBasisOptions {
  RadialFunction function = RadialFunction::ThinPlate;
  /// Scale of the function in coordinate units; for Wendland's functions the distance at which they become 0.
  ///
  /// 0: the extent of the sources over the square root of their number, times 3 for smooth functions, times 10 for
  /// Wendland's.
  double scale = 0.0;
};

/// Interpolates by radial basis functions about all sources and a linear polynomial.
///
/// The method reproduces linear functions. Sources at the same place share its weight. The matrix is dense: each source
/// counts in each target.
/// \throws RangeError  a coordinate that is not finite, or more than `kMostInOneSystem` different places
///
/// Source: [Wendland2004], ch. 8.
SolvedWeights RadialBasisWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                 const RadialBasisOptions& options);

/// Options of `PartitionOfUnityWeights`.
struct PartitionOptions {
  RadialFunction function = RadialFunction::Cubic;
  /// Scale of the function divided by the radius of a patch, for functions that need a scale.
  double relative_scale = 3.0;
  std::size_t per_patch = 50;  ///< approximate number of sources in a patch; at least 8
  std::size_t degree = 3;      ///< of the polynomial in a patch; lower where its sources do not determine it
  Space space = Space::Plane;
};

/// Interpolates in overlapping patches of some sources each, which are blended smoothly: n log n instead of n^3.
///
/// The polynomial in each patch sets the order of the method. Patches are balls about the cells of a k-d partition. The
/// value at a target is the mean of its patches' interpolations, weighted by Wendland's C2 function of the distance to
/// their centres (partition of unity). Targets beyond all patches take the nearest patch.
///
/// Sources may crowd on a few lines, as on the parallels about a pole. A patch there reaches further until its sources
/// determine the polynomial, and uses only some of them, spread evenly. The result there does not pass through all
/// sources.
/// \throws RangeError  a coordinate that is not finite
///
/// Source: [Wendland2004], ch. 15 for the partition of unity; [Flyer2016] for the polynomials.
SolvedWeights PartitionOfUnityWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                      const PartitionOptions& options);

}  // namespace openmi
