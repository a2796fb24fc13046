#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace openmi {

/// A square system of linear equations, factorised once and solved for many right-hand sides.
///
/// Source: [GolubVanLoan2013], sec. 3.4 for LU with partial pivoting, sec. 3.5 for the estimate of the condition
/// number.
class DenseSystem {
 public:
  DenseSystem();
  ~DenseSystem();
  DenseSystem(const DenseSystem&) = delete;
  DenseSystem& operator=(const DenseSystem&) = delete;

  /// Factorises the matrix by LU with partial pivoting.
  /// \param matrix  symmetric; shape [n x n], either order; overwritten
  /// \param n  the number of equations
  /// \note  n^3 * 2/3 operations; keeps its memory between matrices of one size.
  void Factorise(std::span<double> matrix, std::size_t n);

  /// Replaces each right-hand side by its solution.
  /// \param columns  shape [count x n], right-hand side after right-hand side
  /// \pre  `Factorise` has been called
  void Solve(std::span<double> columns) const;

  /// An estimate of the condition number in the 1-norm; infinite for a singular matrix.
  double Condition() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::size_t n_ = 0;
};

}  // namespace openmi
