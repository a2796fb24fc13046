#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Solves min | A c + b | for a tall A given by columns, leaving out columns that say nothing new.
///
/// Columns are made orthogonal one by one (modified Gram-Schmidt, each twice, so that orthogonality holds to rounding).
/// The earlier ones have precedence: one of which less than `limit` of its length is left is linearly dependent on
/// those before it, and is left out. Source: [Haelterman2016] (the filter "QR2"), [Bjorck1996] section 2.4
/// (orthogonalization).
class LeastSquares {
 public:
  explicit LeastSquares(double limit) : limit_(limit) {}

  /// \param columns  the first `count` are used; each of shape [rows]
  /// \param weights  of the rows; shape [rows]
  /// \param right    b; shape [rows]
  /// \returns c; shape [count], 0 where the column was left out. Good until the next call.
  std::span<const double> Solve(std::span<const std::vector<double>> columns, std::span<const double> weights,
                                std::span<const double> right);
  /// Whether each column was left out by the last Solve; shape [count].
  const std::vector<bool>& LeftOut() const { return left_out_; }

 private:
  double limit_;
  std::vector<std::vector<double>> basis_;     // orthonormal; shape [columns][rows]
  std::vector<std::vector<double>> triangle_;  // triangle_[j][i], i <= j: of column j along basis i
  std::vector<std::size_t> used_;              // the column that each basis vector was made of
  std::vector<double> rest_;
  std::vector<double> coefficients_;
  std::vector<bool> left_out_;
};

}  // namespace openmi
