#pragma once

#include <array>

namespace riverbasin {

/// A reservoir behind a dam.
struct ReservoirGeometry {
  double bottom = 0.0;              ///< level of the deepest point [m]
  double volume_factor = 0.0;       ///< a in V = a h^b, h above the bottom [m^(3-b)]
  double volume_exponent = 2.0;     ///< b [1], at least 1
  double outlet_level = 0.0;        ///< axis of the outlet [m]
  double outlet_area = 0.0;         ///< [m2]
  double outlet_coefficient = 0.6;  ///< of discharge [1]
  double crest_level = 0.0;         ///< of the spillway [m]
  double crest_length = 0.0;        ///< [m]
  double crest_coefficient = 1.7;   ///< [m1/2 s-1]
};

/// Storage with a release that follows the level:  dV/dt = I - R(level) - e A(level).
///
/// The release is c a A sqrt(2 g h) through the outlet, of which a gate opens the part a, plus c L h^1.5 over the
/// spillway; e is the evaporation. Integrated
/// by the classical Runge-Kutta method in sub-steps; inflow is constant over a step, and the means of release and loss
/// over the step are those the integration used, so that volume is conserved to rounding.
class Reservoir {
 public:
  /// \param step  of the exchange [s]
  /// \throws openmi::ArgumentError  a member is out of range; names it with its value.
  Reservoir(const ReservoirGeometry& geometry, double initial_level, double step);

  /// Advances one step.
  /// \param inflow       mean over the step [m3 s-1]
  /// \param evaporation  mean over the step [m s-1]
  /// \param opening      part of the outlet that is open, over the whole step; 0 to 1
  /// \returns mean release over the step [m3 s-1]
  double Step(double inflow, double evaporation, double opening = 1.0);

  double Storage() const { return volume_; }             ///< [m3]
  double Level() const { return LevelAt(volume_); }      ///< [m]
  double Surface() const { return SurfaceAt(volume_); }  ///< [m2]
  double CumulativeInflow() const { return inflow_; }    ///< [m3]
  double CumulativeRelease() const { return release_; }  ///< [m3]
  double CumulativeLoss() const { return loss_; }        ///< [m3]

  /// Volume and totals, for SetStates of a reservoir of the same geometry.
  std::array<double, 4> States() const { return {volume_, inflow_, release_, loss_}; }
  void SetStates(const std::array<double, 4>& states);

  /// Release at a level [m3 s-1], with a part of the outlet open.
  double Release(double level, double opening = 1.0) const;

 private:
  double LevelAt(double volume) const;
  double SurfaceAt(double volume) const;

  ReservoirGeometry geometry_;
  double step_;    // [s]
  double volume_;  // [m3]
  double inflow_ = 0.0;
  double release_ = 0.0;
  double loss_ = 0.0;
};

}  // namespace riverbasin
