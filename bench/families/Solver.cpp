// The solver that bench/families takes out of a run, compiles anew with another factor, and puts back.
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

constexpr double kFactor = 1.0;  // changed by the program

class Solver final : public openmi::SteppingComponent {
 public:
  Solver() : SteppingComponent("solver", "PT1S") {
    operations_ = AddArgument<std::int64_t>("operations", {.caption = "operations of a step", .value = 100'000});
    out_ = AddOutput("out", "1");
  }

 private:
  void Start(openmi::Stamp) override { out_.Set(kFactor); }
  void Step(openmi::Stamp, openmi::Stamp) override {
    for (std::int64_t i = 0; i < operations_.Value(); ++i) x_ = x_ * 0.999999 + 1e-6;
    out_.Set(kFactor * (x_ > 0.0 ? 1.0 : 0.0));
  }
  openmi::Argument<std::int64_t> operations_;
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

}  // namespace

OPENMI_EXPORT_COMPONENT(Solver)
