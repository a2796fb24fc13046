#include "composition/loops/Convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace openmi {

LoopResidual MeasureItem(std::span<const double> iterate, std::span<const double> answer,
                         const LoopTolerance& tolerance) {
  LoopResidual residual;
  double size = 0.0;
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (std::isnan(iterate[i]) && std::isnan(answer[i])) continue;
    const double change = std::fabs(answer[i] - iterate[i]);
    if (!std::isfinite(change)) {
      residual.largest = std::numeric_limits<double>::infinity();
      residual.limit = 0.0;
      return residual;
    }
    residual.largest = std::max(residual.largest, change);
    size = std::max(size, std::fabs(answer[i]));
  }
  residual.limit = std::max(tolerance.absolute, tolerance.relative * size);
  return residual;
}

double SizeOfItem(std::span<const double> values) {
  double size = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) size = std::max(size, std::fabs(value));
  }
  return size;
}

}  // namespace openmi
