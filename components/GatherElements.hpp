#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Gathers single values into one item with elements: an input for each element, and an output with all of them. Type
/// `openmi.Gather`.
///
/// Each input has the id of its element, and an element set of that element alone, so that its link may ask for the
/// element's area. The way back is the adaptor `one-value`.
class GatherElements final : public StatefulSteppingComponent {
 public:
  GatherElements();

 private:
  void Setup() override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}

  Argument<std::string> item_, unit_, asks_;
  ElementArguments elements_;
  std::vector<ScalarInput> inputs_;  // one for each element, in their order
  ArrayOutput output_;
};

}  // namespace openmi
