// Two sub-basins that compute long, and the outlet below them.

#include <cmath>

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

class HostsBasin final : public openmi::SteppingComponent {
 public:
  HostsBasin() : SteppingComponent("hosts-basin", "PT1H") {
    work_ = AddArgument<std::int64_t>("work", {.caption = "rounds a step", .value = 1, .minimum = 1});
  }

 private:
  void Setup() override { out_ = AddOutput("flow", "1"); }
  void Start(openmi::Stamp) override { out_.Set(x_); }
  void Step(openmi::Stamp, openmi::Stamp) override {
    for (std::int64_t i = 0; i < work_.Value(); ++i) x_ = std::cos(x_ + 1e-3);
    out_.Set(x_);
  }
  openmi::Argument<std::int64_t> work_;
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

class HostsOutlet final : public openmi::SteppingComponent {
 public:
  HostsOutlet() : SteppingComponent("hosts-outlet", "PT1H") {}

 private:
  void Setup() override {
    first_ = AddInput("first", "1");
    second_ = AddInput("second", "1");
    out_ = AddOutput("flow", "1");
  }
  void Start(openmi::Stamp) override { out_.Set(0.0); }
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(first_.Get() + second_.Get()); }
  openmi::ScalarInput first_;
  openmi::ScalarInput second_;
  openmi::ScalarOutput out_;
};

OPENMI_EXPORT_COMPONENT(HostsBasin)
OPENMI_EXPORT_COMPONENT(HostsOutlet)

}  // namespace
