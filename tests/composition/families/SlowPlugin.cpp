// A version of the solver of SwapPlugin.cpp that takes its time to initialize: out = 7 times the sum of what it took.
#include <chrono>
#include <string>
#include <thread>

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

class Swap final : public openmi::SteppingComponent {
 public:
  Swap() : SteppingComponent("swap") {
    alone_ = AddArgument<std::string>("gives", {.caption = "alone: not beside others", .value = "instant"});
    SetThreadSafe(true);
  }

 private:
  void Setup() override {
    SetThreadSafe(alone_.Value() != "alone");
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1");
  }
  void Start(openmi::Stamp) override { out_.Set(sum_ = 0.0); }
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(7.0 * (sum_ += in_.Get())); }

  openmi::Argument<std::string> alone_;
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
  double sum_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT(Swap)
