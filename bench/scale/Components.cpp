// What the compositions of the scale benchmark are made of, as a plug-in.

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

/// Takes up to three inputs, gives their mean and one.
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

/// A linear reservoir with two inflows, and rain of its own: dS/dt = inflow + second + rain - S / k, one explicit step.
class ScaleReservoir final : public openmi::SteppingComponent {
 public:
  ScaleReservoir() : SteppingComponent("scale-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "residence time", .unit = "s", .value = 36'000.0, .minimum = 3'600.0});
    inflow_ = AddInput("inflow", "m3 s-1", {.default_value = 0.0});
    second_ = AddInput("second", "m3 s-1", {.default_value = 0.0});
    outflow_ = AddOutput("outflow", "m3 s-1");
  }

 private:
  void Start(openmi::Stamp) override {
    rate_ = 1.0 / k_.Value();
    storage_ = 0.0;
  }
  void Step(openmi::Stamp from, openmi::Stamp to) override {
    const double outflow = storage_ * rate_;
    storage_ += openmi::ToSeconds(to - from) * (inflow_.Get() + second_.Get() + 1e-3 - outflow);
    outflow_.Set(outflow);
  }
  openmi::Argument<double> k_;
  openmi::ScalarInput inflow_, second_;
  openmi::ScalarOutput outflow_;
  double rate_ = 0.0;
  double storage_ = 0.0;  // m3
};
OPENMI_EXPORT_COMPONENT(ScaleReservoir)

}  // namespace
