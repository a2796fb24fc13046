#pragma once

#include <span>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A function of the distance alone, r = distance / scale [Wendland2004].
enum class RadialFunction {
  ThinPlate,            ///< r^2 log r; needs no scale
  Cubic,                ///< r^3; needs no scale
  Gaussian,             ///< exp(-r^2)
  Multiquadric,         ///< sqrt(1 + r^2)
  InverseMultiquadric,  ///< 1 / sqrt(1 + r^2)
  WendlandC2,           ///< (1-r)^4 (4r + 1), 0 from r = 1
  WendlandC4,           ///< (1-r)^6 (35r^2 + 18r + 3) / 3, 0 from r = 1
  WendlandC6            ///< (1-r)^8 (32r^3 + 25r^2 + 8r + 1), 0 from r = 1
};
double Evaluate(RadialFunction function, double r);

/// Weights that come from systems of equations, and how well these were conditioned.
struct SolvedWeights {
  SparseRows weights;      ///< [target x source]
  double condition = 1.0;  ///< the largest condition number (1-norm, estimated) of the systems solved
};

/// The most sources that one global system takes: 4000, some seconds.
inline constexpr std::size_t kMostInOneSystem = 4000;

struct RadialBasisOptions {
  RadialFunction function = RadialFunction::ThinPlate;
  /// Scale of the function in coordinate units; for Wendland's functions where they end. 0: the extent of the sources
  /// over the square root of their number, times 3 for smooth functions, times 10 for those that end.
  double scale = 0.0;
};

/// Interpolation by radial basis functions about all sources, and a linear polynomial.
///
/// Reproduces linear functions. Sources at one place share it. Dense: each source counts in each target.
/// \throws RangeError  a coordinate that is not finite, or more than `kMostInOneSystem` different places
SolvedWeights RadialBasisWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                 const RadialBasisOptions& options);

struct PartitionOptions {
  RadialFunction function = RadialFunction::Cubic;
  /// Scale of the function over the radius of a patch, for functions that need one.
  double relative_scale = 3.0;
  std::size_t per_patch = 50;  ///< about how many sources a patch has; at least 8
  std::size_t degree = 3;      ///< of the polynomial in a patch; lower where its sources do not carry it
  Space space = Space::Plane;
};

/// The same with patches of some sources each, which overlap and are blended smoothly: n log n instead of n^3.
///
/// The polynomial in each patch sets the order of the method [Flyer2016]. Patches are balls about the cells of a k-d
/// partition; a target's value is the mean of its patches' interpolations, weighted by Wendland's C2 function of the
/// distance to their centres (partition of unity) [Wendland2004]. Targets beyond all patches take the nearest patch.
/// Where sources crowd on a few lines, as on the parallels about a pole, a patch reaches further until it carries its
/// polynomial, and takes of its sources only some that are spread evenly: there it does not pass through all of them.
/// \throws RangeError  a coordinate that is not finite
SolvedWeights PartitionOfUnityWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                                      const PartitionOptions& options);

}  // namespace openmi
