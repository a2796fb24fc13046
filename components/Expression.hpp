#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/Formula.hpp"
#include "timespace/IFirstValues.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Computes outputs from several inputs by formulas, element by element. Type `openmi.Expression`.
///
/// What needs one output only is an adaptor's business (`expression`); what needs several meets here, each on a link of
/// its own with the adaptors it needs: sums and differences, ratios, the speed and direction of a vector, its rotation.
class Expression final : public StatefulSteppingComponent, public IFirstValues {
 public:
  Expression();
  /// Never: inputs are first asked at the end of the first step.
  bool HasFirstValue(const IBaseOutput&) const override { return false; }

 private:
  struct Result {
    std::string id;
    std::string unit;
    Formula formula;
    ArrayOutput output;
  };
  void Setup() override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}

  Argument<std::string> inputs_text_, outputs_text_, asks_;
  ElementArguments elements_;
  std::vector<ArrayInput> inputs_;
  std::vector<Result> results_;
  std::vector<std::span<const double>> columns_;  // shape [inputs][elements]
};

}  // namespace openmi
