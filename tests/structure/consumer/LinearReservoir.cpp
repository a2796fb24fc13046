#include <cmath>
#include <timespace/SteppingComponent.hpp>

class LinearReservoir final : public openmi::SteppingComponent {
 public:
  LinearReservoir() : SteppingComponent("linear-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6});
    inflow_ = AddInput("inflow", "m3 s-1");
    outflow_ = AddOutput("outflow", "m3 s-1");
  }

 private:
  void Step(openmi::Stamp from, openmi::Stamp to) override {  // inputs were pulled for `to`; set the outputs for `to`
    const double decay = std::exp(-(to - from).count / k_.Value());
    outflow_.Set(outflow_.Get() * decay + inflow_.Get() * (1.0 - decay));
  }

  openmi::Argument<double> k_;
  openmi::ScalarInput inflow_;
  openmi::ScalarOutput outflow_;
};
OPENMI_EXPORT_COMPONENT(LinearReservoir)
