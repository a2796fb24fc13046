#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// A cascade of equal linear reservoirs for each element: routes runoff from a catchment, or flow along a reach. Type
/// `openmi.NashCascade`.
///
/// Each reservoir gives its volume divided by the residence time k. With constant inflow over a step of length d, and
/// a = d / k, the outflow of reservoir i changes from q to
///
///     q'(i) = sum over j <= i of q(j) p(i - j) + inflow (1 - sum over m < i of p(m)),   p(m) = exp(-a) a^m / m!
///
/// which is exact. The output is the mean over the step, from the volumes before and after it: nothing is lost.
///
/// Source: the unit hydrograph of [Nash1957].
class NashCascade final : public StatefulSteppingComponent {
 public:
  NashCascade();

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  /// Computes p(m), and their sums, for a step of `seconds`.
  void Weigh(double seconds);

  Argument<std::string> unit_;
  Argument<std::int64_t> reservoirs_;
  Argument<double> residence_hours_, initial_;
  ElementArguments elements_;
  ArrayInput inflow_;
  ArrayOutput outflow_;
  std::vector<double> flows_;      // shape [elements][reservoirs]: outflow of each
  std::vector<double> share_;      // shape [reservoirs]: p(m)
  std::vector<double> remaining_;  // shape [reservoirs]: 1 - sum of p(0) to p(m)
  double weighed_ = 0.0;           // length in seconds of the step that share_ and remaining_ are for
};

}  // namespace openmi
