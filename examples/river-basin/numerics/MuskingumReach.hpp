#pragma once

#include <span>
#include <vector>

namespace riverbasin {

/// A reach as a channel of rectangular section, wide against its depth.
struct ReachGeometry {
  double length = 0.0;               ///< [m]
  double slope = 0.0;                ///< [m/m]
  double width = 0.0;                ///< [m]
  double roughness = 0.0;            ///< Manning's n [s m-1/3]
  double reference_discharge = 0.0;  ///< about which the wave is linearised [m3 s-1]
};

/// The two parameters of Muskingum's storage law  S = K (X I + (1 - X) O).
struct MuskingumParameters {
  double travel_time = 0.0;  ///< K [s]
  double weight = 0.0;       ///< X [1], 0 (a linear reservoir) to below 0.5 (translation)
};

/// K and X of a reach after Cunge: celerity 5/3 v with Manning's v, X = (1 - q / (s c L)) / 2 held within 0 .. 0.45.
/// \throws openmi::ArgumentError  a member of `geometry` is not above 0; names it with its value.
/// Source: J. A. Cunge (1969), On the subject of a flood propagation computation method (Muskingum method), Journal of
/// Hydraulic Research 7(2), 205-230.
MuskingumParameters CungeParameters(const ReachGeometry& geometry);

/// Water level below a reach.
struct Tailwater {
  double depth = 0.0;  ///< above the bed at the reach's outlet [m]; 0 or less: the outlet falls free
};

/// One river reach, routed by Muskingum's method in mean flows over a step.
///
/// The state is the volume S held in each of `Segments()` pieces in series. Over a sub-step h with mean inflow I and
/// mean outflow O:  S' = S + h (I - O)  and  (S + S') / 2 = K (X I + (1 - X) O).  This gives the method's usual three
/// weights, and volume is conserved whatever the flows are. The weights are not negative for  2 K X <= h <= 2 K (1 -
/// X); the constructor chooses pieces and sub-steps so that this holds (an hour is too long for a reach that takes half
/// an hour).
///
/// A level below that stands higher than the outlet's bed throttles the last piece: O = f O_free with
/// f = (1 - (h_tail / h_reach)^1.5)^0.385 (J. R. Villemonte (1947), Submerged-weir discharge studies, Engineering
/// News-Record 139, 866-869); the water held back stays in the reach.
class MuskingumReach {
 public:
  /// \param parameters  K above 0, X in 0 .. 0.45
  /// \param surface     of the reach [m2], above 0: turns volume into depth
  /// \param step        of the exchange [s]
  MuskingumReach(MuskingumParameters parameters, double surface, double step);

  /// Starts from the steady state of a constant inflow and lateral inflow [m3 s-1], with a free outlet.
  void StartSteady(double inflow, double lateral);

  /// Routes one step.
  /// \param inflow   mean over the step at the upper end [m3 s-1]
  /// \param lateral  mean over the step, spread evenly along the reach [m3 s-1]
  /// \returns mean outflow over the step [m3 s-1]
  double Route(double inflow, double lateral, Tailwater tailwater = {});

  /// Volumes of the pieces [m3]; shape [Segments()]. A state to go back to.
  std::span<double> Volumes() { return volumes_; }
  std::span<const double> Volumes() const { return volumes_; }
  double Storage() const;      ///< [m3]
  double OutletDepth() const;  ///< in the last piece [m]
  int Segments() const { return static_cast<int>(volumes_.size()); }
  int SubSteps() const { return sub_steps_; }

 private:
  double RouteSegment(double& volume, double inflow) const;

  std::vector<double> volumes_;  // [m3], from above to below
  double surface_;               // of one piece [m2]
  double travel_time_;           // of one piece [s]
  double weight_;
  double sub_step_;  // [s]
  int sub_steps_ = 1;
};

}  // namespace riverbasin
