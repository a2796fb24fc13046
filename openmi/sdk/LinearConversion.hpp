#pragma once

namespace openmi {

/// A conversion between units: v2 = factor * v1 + offset.
struct LinearConversion {
  double factor = 1.0;
  double offset = 0.0;  ///< in the second unit

  /// The converted value.
  double operator()(double value) const { return factor * value + offset; }
  /// Whether the conversion leaves every value unchanged.
  bool IsIdentity() const { return factor == 1.0 && offset == 0.0; }
};

}  // namespace openmi
