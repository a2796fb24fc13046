#include "adaptors/kernels/DenseSystem.hpp"

#include <Eigen/LU>
#include <limits>

namespace openmi {

struct DenseSystem::Parts {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  double condition = std::numeric_limits<double>::infinity();
};

DenseSystem::DenseSystem() : parts_(std::make_unique<Parts>()) {}
DenseSystem::~DenseSystem() = default;

void DenseSystem::Factorise(std::span<double> matrix, std::size_t n) {
  n_ = n;
  const auto size = static_cast<Eigen::Index>(n);
  parts_->lu.compute(Eigen::Map<Eigen::MatrixXd>(matrix.data(), size, size));
  const double reciprocal = parts_->lu.rcond();
  parts_->condition = reciprocal > 0.0 ? 1.0 / reciprocal : std::numeric_limits<double>::infinity();
}

void DenseSystem::Solve(std::span<double> columns) const {
  const auto size = static_cast<Eigen::Index>(n_);
  Eigen::Map<Eigen::MatrixXd> sides(columns.data(), size, static_cast<Eigen::Index>(columns.size() / n_));
  sides = parts_->lu.solve(sides);
}

double DenseSystem::Condition() const {
  return parts_->condition;
}

}  // namespace openmi
