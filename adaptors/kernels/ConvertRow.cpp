#include "adaptors/kernels/ConvertRow.hpp"

#include <cassert>
#include <cmath>
#include <cstddef>

namespace openmi {

void ConvertRow(std::span<const double> in, const UnitPair& units, std::span<double> out, double missing) {
  assert(in.size() == out.size());
  const double a1 = units.from_factor;
  const double b1 = units.from_offset;
  const double a2 = units.to_factor;
  const double b2 = units.to_offset;
  const bool same = a1 == a2 && b1 == b2;
  const bool masked = !std::isnan(missing);
  const std::size_t count = in.size();
  const double* x = in.data();
  double* y = out.data();
  if (same) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) y[i] = masked && x[i] != x[i] ? missing : x[i];
  } else if (masked) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) {
      const double converted = (a1 * x[i] + b1 - b2) / a2;
      y[i] = x[i] == missing || converted != converted ? missing : converted;
    }
  } else {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) y[i] = (a1 * x[i] + b1 - b2) / a2;
  }
}

}  // namespace openmi
