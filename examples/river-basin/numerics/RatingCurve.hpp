#pragma once

#include <cmath>

namespace riverbasin {

/// Stage and discharge at a gauge:  Q = a (h - h0)^b.
struct RatingCurve {
  double factor = 10.0;   ///< a [m^(3-b) s-1]
  double exponent = 1.5;  ///< b [1]
  double zero = 0.0;      ///< h0, the stage of no flow [m]

  /// Stage of a discharge [m]; the stage of no flow where the discharge is 0 or less; NaN stays NaN.
  double Stage(double discharge) const {
    return discharge <= 0.0 ? zero : zero + std::pow(discharge / factor, 1.0 / exponent);
  }
};

}  // namespace riverbasin
