#pragma once

#include <string>
#include <vector>

#include "components/ElementArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi {

/// Gathers single values into one item with elements. Type `openmi.Gather`.
///
/// It has an input for each element and an output with all elements. Each input has the id of its element and an
/// element set with that element alone, so that adaptors of its link can use the element's area. The adaptor
/// `one-value` is the opposite.
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
