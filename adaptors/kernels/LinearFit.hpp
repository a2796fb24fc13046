#pragma once

#include <array>
#include <span>
#include <vector>

#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// A linear function fitted to values at a few points by weighted least squares, as weights of those values.
///
/// Directions in which the points do not spread (less than 1e-3 of the widest) are left out, so that points on a line
/// or at one place give a function that is constant across it. Holds the memory that takes, for one thread.
/// Source: [Lancaster1981].
class LinearFit {
 public:
  /// \param points    local coordinates; at least one
  /// \param weights   of the squares; not negative, not all 0; shape [points]
  /// \param directions  how many coordinates count: 2 or 3
  void Fit(std::span<const Point3> points, std::span<const double> weights, std::size_t directions);

  /// The weights of the values in the function's value at the origin; shape [points], sum 1.
  void ValueAtOrigin(std::span<double> out) const;
  /// The weights of the values in the function's slope along one direction (0, 1, 2); shape [points], sum 0.
  void Slope(std::size_t direction, std::span<double> out) const;

 private:
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

struct LeastSquaresOptions {
  /// How many sources count for a target, the nearest ones; at least 3. More where these stand in a row, so that large
  /// weights of both signs would have to make up for what they do not say.
  std::size_t neighbours = 12;
  Space space = Space::Plane;
};

/// Moving least squares: a linear function is fitted about each target to its nearest sources, which count the less the
/// further away they are (Wendland's C2 function, 0 just beyond the furthest).
///
/// Reproduces linear functions; second order. Not an interpolation: at a source's place the others count, too.
/// \returns [target x source], columns rising; rows sum to 1, weights may be negative
/// \throws RangeError  a coordinate that is not finite
SparseRows LeastSquaresWeights(std::span<const Point3> sources, std::span<const Point3> targets,
                               const LeastSquaresOptions& options);

}  // namespace openmi
