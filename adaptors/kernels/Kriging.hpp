#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/RadialBasis.hpp"

namespace openmi {

/// A variogram: how half the mean squared difference of two values grows with their distance h.
///
/// Source: [Cressie1993], sec. 2.3.1.
struct Variogram {
  /// The curve, without nugget and sill.
  enum class Model {
    Linear,       ///< h / range, without a limit
    Spherical,    ///< 1.5 h/range - 0.5 (h/range)^3, 1 from h = range
    Exponential,  ///< 1 - exp(-3 h/range): 0.95 at the range
    Gaussian      ///< 1 - exp(-3 (h/range)^2): 0.95 at the range
  };
  Model model = Model::Spherical;
  double nugget = 0.0;  ///< the jump at h = 0; square of the values' unit; not negative
  double sill = 1.0;    ///< factor of the model's curve, without the nugget; same unit; above 0
  double range = 1.0;   ///< coordinate units; above 0

  /// gamma(h), in the square of the values' unit; 0 at h = 0.
  double operator()(double distance) const;
};

/// Options of `OrdinaryKriging`.
struct KrigingOptions {
  Variogram variogram;
  std::size_t neighbours = 32;  ///< how many nearest sources count for a target; 0: all
};

/// Weights, and the variance of the estimates that they make.
struct KrigingWeights {
  SolvedWeights solved;
  std::vector<double> variance;  ///< [targets]; square of the values' unit
};

/// Ordinary kriging: the linear estimate without bias and with the least variance.
///
/// It assumes values with this variogram about an unknown mean. Distances are straight; on a sphere they are chords,
/// for which all models are valid. Sources at the same place share its weight.
/// \throws RangeError  a coordinate that is not finite, or more than `kMostInOneSystem` places with `neighbours` = 0
/// \throws ArgumentError  a nugget below 0, or a sill or range that is not above 0
///
/// Source: [Cressie1993], sec. 3.2.
KrigingWeights OrdinaryKriging(std::span<const Point3> sources, std::span<const Point3> targets,
                               const KrigingOptions& options);

}  // namespace openmi
