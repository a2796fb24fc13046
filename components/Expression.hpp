#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/files/Formula.hpp"
#include "timespace/optional/IInitialValues.hpp"

namespace openmi {

/// Computes outputs from several inputs by formulas, element by element. Type `openmi.Expression`.
///
/// A formula of one output only needs the adaptor `expression` instead. This component combines several outputs, each
/// on its link with the adaptors it needs: sums and differences, ratios, speed and direction of a vector, its rotation.
class Expression final : public StatefulSteppingComponent, public IFirstValues {
 public:
  Expression();
  /// \returns always false: inputs are asked for the first time at the end of the first step
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
