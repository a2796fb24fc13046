#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Gives the same values at all times. Type `openmi.Constant`.
///
/// The values are there for any time within the run, so that a time adaptor is never needed.
class Constant final : public StatefulSteppingComponent {
 public:
  Constant();

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}

  Argument<std::string> item_, value_, unit_, gives_;
  ElementArguments elements_;
  ArrayOutput output_;
  std::vector<double> values_;
};

}  // namespace openmi
