// The node of the scale benchmark, as a plug-in: takes up to three inputs, gives their mean and one.

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

class ScaleNode final : public openmi::SteppingComponent {
 public:
  ScaleNode() : SteppingComponent("scale-node") {
    for (const char* id : {"a", "b", "c"}) inputs_.push_back(AddInput(id, "m3 s-1", {.default_value = 0.0}));
    level_ = AddOutput("level", "m3 s-1", {.initial = 1.0});
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp) override {
    double sum = 0.0;
    for (const openmi::ScalarInput& input : inputs_) sum += input.Get();
    level_.Set(1.0 + 0.5 * sum);
  }
  std::vector<openmi::ScalarInput> inputs_;
  openmi::ScalarOutput level_;
};

OPENMI_EXPORT_COMPONENT(ScaleNode)

}  // namespace
