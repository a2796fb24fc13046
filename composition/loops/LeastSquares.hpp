#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace openmi {

/// Solves min | A c + b | for a tall matrix A given by columns, and omits columns that are linearly dependent.
///
/// Columns are made orthogonal one by one (modified Gram-Schmidt, each twice, so that they are orthogonal up to
/// rounding). Earlier columns have precedence: a column of which less than `limit` of its length remains is linearly
/// dependent on those before it, and is omitted.
///
/// Source: [Haelterman2016] (the filter "QR2"), [Bjorck1996] section 2.4 (orthogonalization).
class LeastSquares {
 public:
  /// \param limit  dimensionless; the part of a column's length that has to remain
  explicit LeastSquares(double limit) : limit_(limit) {}

  /// Solves the problem; norms are weighted.
  /// \param columns  A: the first `count` are used, with `count` the size of this span; each of shape [rows]
  /// \param weights  of the rows; shape [rows]
  /// \param right    b; shape [rows]
  /// \returns c; shape [count], 0 where the column was omitted. Valid until the next call.
  std::span<const double> Solve(std::span<const std::vector<double>> columns, std::span<const double> weights,
                                std::span<const double> right);
  /// Whether each column was omitted by the last Solve; shape [count].
  const std::vector<bool>& LeftOut() const { return left_out_; }

 private:
  double limit_;
  std::vector<std::vector<double>> basis_;     // orthonormal; shape [columns][rows]
  std::vector<std::vector<double>> triangle_;  // triangle_[j][i], i <= j: of column j along basis i
  std::vector<std::size_t> used_;              // the column from which each basis vector was made
  std::vector<double> rest_;
  std::vector<double> coefficients_;
  std::vector<bool> left_out_;
};

}  // namespace openmi
