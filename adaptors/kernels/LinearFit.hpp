#pragma once

#include <array>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A linear function fitted to values at a few points by weighted least squares, as weights of those values.
///
/// Directions in which the points do not spread (less than 1e-3 of the widest) are omitted. Points on a line or at one
/// place thus give a function that is constant across it. An object holds work memory; each thread needs its own.
///
/// Source: [Lancaster1981]; least squares by Gram-Schmidt with pivoting, [Bjorck1996], sec. 2.4.
class LinearFit {
 public:
  /// Fits the function.
  /// \param points  local coordinates; at least one
  /// \param weights  of the squares; not negative, not all 0; shape [points]
  /// \param directions  how many coordinates count: 2 or 3
  void Fit(std::span<const Point3> points, std::span<const double> weights, std::size_t directions);

  /// Gives the weights of the values in the function's value at the origin; shape [points], sum 1.
  void ValueAtOrigin(std::span<double> out) const;
  /// Gives the weights of the values in the function's slope along a direction (0, 1, 2); shape [points], sum 0.
  void Slope(std::size_t direction, std::span<double> out) const;

 private:
  /// Gives the basis times z, where triangle' z = `sides`; shape [points].
  void Solve(const std::array<double, 3>& sides, std::span<double> out) const;
  std::size_t directions_ = 0;
  std::size_t kept_ = 0;
  std::vector<double> roots_;                 // of the weights, [points]
  std::array<std::vector<double>, 3> basis_;  // orthonormal columns, [points] each
  std::array<std::array<double, 3>, 3>
      triangle_{};  // triangle_[j][i]: part of basis j in column i, in order of columns_
  std::array<std::size_t, 3> columns_{};
  std::array<double, 3> mean_{};
  double total_ = 0.0;
};

/// Options of `LeastSquaresWeights`.
struct LeastSquaresOptions {
  /// How many nearest sources count for a target; at least 3. More are used where these lie almost on a line, since the
  /// fit would otherwise need large weights of both signs.
  std::size_t neighbours = 12;
  Space space = Space::Plane;
};

/// Moving least squares: fits a linear function about each target to its nearest sources.
///
/// The weight of a source in the fit falls with its distance (Wendland's C2 function, 0 just beyond the furthest
/// source). The method reproduces linear functions and is of second order. It is no interpolation: at a source's place
/// the other sources count, too.
/// \returns [target x source], columns rising; rows sum to 1, weights may be negative
/// \throws RangeError  a coordinate that is not finite
///
/// Source: [Lancaster1981]; [Wendland2004] for the C2 function.
SparseRows LeastSquaresWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                               const LeastSquaresOptions& options);

}  // namespace openmi
