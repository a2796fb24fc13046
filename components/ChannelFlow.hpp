#pragma once

namespace openmi {

/// Uniform flow in a channel with a trapezoidal cross-section.
///
/// With Manning's formula, discharge Q, area A and wetted perimeter P are related by
///
///     Q = sqrt(slope) / roughness * A^(5/3) / P^(2/3)
///
/// Source: [Chow1959], chapters 5 and 6.
struct Channel {
  double bottom_width = 1.0;  ///< m, at least 0
  double run = 0.0;           ///< horizontal metres of a bank for each metre of height; 0: vertical banks
  double roughness = 0.035;   ///< Manning's n, s m-1/3
  double slope = 1e-3;        ///< m/m, above 0

  double Area(double depth) const { return (bottom_width + run * depth) * depth; }
  double TopWidth(double depth) const { return bottom_width + 2.0 * run * depth; }
};

/// What uniform flow of one discharge looks like.
struct UniformFlow {
  double depth = 0.0;     ///< m
  double area = 0.0;      ///< m2
  double width = 0.0;     ///< m, at the surface
  double velocity = 0.0;  ///< m/s, Q / A
  double celerity = 0.0;  ///< m/s, dQ/dA: the speed of a kinematic wave
};

/// \param discharge  m3/s, above 0
/// \param guess  a depth in m to start from, such as the last one; 0 or less: none
UniformFlow FlowOf(const Channel& channel, double discharge, double guess);

}  // namespace openmi
