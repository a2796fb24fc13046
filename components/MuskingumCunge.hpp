#pragma once

#include <string>
#include <vector>

#include "components/ChannelFlow.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IBalance.hpp"

namespace openmi {

/// Routes flow along one reach by the method of Muskingum and Cunge; a population of it, with a network, is a river
/// system. Type `openmi.MuskingumCunge`.
///
/// A segment of length L stores S = a I + b O, with inflow I and outflow O. Over a step of length d, with the lateral
/// inflow q, the mean over the step,
///
///     S' - S = d ((I + I') / 2 + q - (O + O') / 2),   a = d (1 - D) / (2 C),   b = d (1 + D) / (2 C)
///
/// The Courant number C and the cell Reynolds number D follow from uniform flow of the discharge (I + O) / 2 at the
/// same time ([Cunge1969]), with the corrections of [Todini2007]: C = V d / L and D = Q V / (width slope c^2 L), where
/// V is the velocity and c the celerity. So a and b change from step to step, but what is stored is what came in less
/// what went out, and in steady flow it is the volume L A of the water in the channel. (The variable parameters of
/// [PonceYevjevich1978] lose water; these do not.) O' is found by iteration, because C and D depend on it.
///
/// Steps of any length are stable, and no flow is negative: D is limited to the range from |1 - C| to 1 + C, in which
/// no coefficient of the scheme is negative. At the lower limit a wave spreads more than in the channel (long
/// segments), or arrives by straight lines between long steps; at the upper one it spreads less (short segments of a
/// flat bed).
class MuskingumCunge final : public StatefulSteppingComponent, public IBalance {
 public:
  MuskingumCunge();

  BalanceTerms Balance() const override;

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  bool OnValidate(std::vector<std::string>& messages) override;

  /// What a segment stores for each m3/s of inflow (a) and of outflow (b), in s.
  struct Weights {
    double a = 0.0;
    double b = 0.0;
  };
  Weights WeightsFor(double discharge, double seconds);
  Weights Limited(double courant, double reynolds, double seconds) const;
  /// The outflow of a segment at the end of the step; sets its storage.
  double Route(std::size_t segment, double inflow, double next_inflow, double lateral, double seconds);
  double Storage() const;

  Argument<double> length_, slope_, roughness_, bottom_width_, bank_slope_, travel_hours_, weight_, initial_;
  Argument<std::int64_t> segment_count_;
  ScalarInput inflow_, lateral_;
  ScalarOutput outflow_, depth_;
  Channel channel_;
  double segment_length_ = 0.0;  // m
  double last_depth_ = 0.0;      // m: where the next search starts
  std::vector<double> flows_;    // shape [segments + 1]: into the first segment, out of each, m3/s
  std::vector<double> stored_;   // shape [segments], m3
  double in_ = 0.0, out_ = 0.0;  // m3 since the start
};

}  // namespace openmi
