#pragma once

namespace openmi {

/// A change of unit: v2 = factor * v1 + offset.
struct LinearConversion {
  double factor = 1.0;
  double offset = 0.0;  ///< in the second unit

  double operator()(double value) const { return factor * value + offset; }
  /// Whether nothing needs to be done.
  bool IsIdentity() const { return factor == 1.0 && offset == 0.0; }
};

}  // namespace openmi
