#pragma once

#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/RadialBasis.hpp"

namespace openmi {

/// How half the mean squared difference of two values grows with their distance h [Cressie1993].
struct Variogram {
  enum class Model {
    Linear,       ///< h / range, without end
    Spherical,    ///< 1.5 h/range - 0.5 (h/range)^3, 1 from h = range
    Exponential,  ///< 1 - exp(-3 h/range): 0.95 at the range
    Gaussian      ///< 1 - exp(-3 (h/range)^2): 0.95 at the range
  };
  Model model = Model::Spherical;
  double nugget = 0.0;  ///< the jump at h = 0; square of the values' unit; not negative
  double sill = 1.0;    ///< what the model's curve is multiplied with, beyond the nugget; same unit; above 0
  double range = 1.0;   ///< coordinate units; above 0

  /// gamma(h); 0 at h = 0.
  double operator()(double distance) const;
};

struct KrigingOptions {
  Variogram variogram;
  std::size_t neighbours = 32;  ///< how many sources count for a target, the nearest ones; 0: all
};

/// Weights, and the variance of what they estimate.
struct KrigingWeights {
  SolvedWeights solved;
  std::vector<double> variance;  ///< [targets], square of the values' unit
};

/// Ordinary kriging: the linear estimate without bias and with the least variance, for values with this variogram about
/// an unknown mean [Cressie1993]. Distances are straight ones; on a sphere chords, for which all models are valid.
/// Sources at one place share it.
/// \throws RangeError     a coordinate that is not finite, or more than `kMostInOneSystem` places for `neighbours` = 0
/// \throws ArgumentError  a variogram that is none
KrigingWeights OrdinaryKriging(std::span<const Point3> sources, std::span<const Point3> targets,
                               const KrigingOptions& options);

}  // namespace openmi
