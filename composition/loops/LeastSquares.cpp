#include "composition/loops/LeastSquares.hpp"

#include <cmath>
#include <cstddef>

namespace openmi {
namespace {

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void Subtract(std::vector<double>& from, double factor, std::span<const double> what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

}  // namespace

std::span<const double> LeastSquares::Solve(std::span<const std::vector<double>> columns,
                                            std::span<const double> weights, std::span<const double> right) {
  const std::size_t count = columns.size();
  const std::size_t rows = right.size();
  if (basis_.size() < count) {
    basis_.resize(count);
    triangle_.resize(count);
  }
  coefficients_.assign(count, 0.0);
  left_out_.assign(count, true);
  used_.clear();
  for (std::size_t column = 0; column < count && used_.size() < rows; ++column) {
    const std::size_t used = used_.size();
    std::vector<double>& direction = basis_[used];
    direction.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) direction[i] = columns[column][i] * weights[i];
    const double length = std::sqrt(Dot(direction, direction));
    std::vector<double>& along = triangle_[used];
    along.assign(used + 1, 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < used; ++k) {
        const double part = Dot(basis_[k], direction);
        along[k] += part;
        Subtract(direction, part, basis_[k]);
      }
    }
    const double left = std::sqrt(Dot(direction, direction));
    if (!(left > limit_ * length) || !std::isfinite(left)) continue;
    along[used] = left;
    for (double& value : direction) value /= left;
    left_out_[column] = false;
    used_.push_back(column);
  }
  rest_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) rest_[i] = right[i] * weights[i];
  for (std::size_t k = used_.size(); k-- > 0;) {  // R c = -Q' b, from the last row upwards
    double value = -Dot(basis_[k], rest_);
    for (std::size_t j = k + 1; j < used_.size(); ++j) value -= triangle_[j][k] * coefficients_[used_[j]];
    coefficients_[used_[k]] = value / triangle_[k][k];
  }
  return coefficients_;
}

}  // namespace openmi
