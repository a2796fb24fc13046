#include <timespace/SteppingComponent.hpp>

#include "Robot.hpp"

namespace {

/// The robot as it should drive: without slip, with a full battery.
class Twin final : public openmi::SteppingComponent {
 public:
  Twin() : SteppingComponent("robot-twin", "PT0.1S") {
    SetRestartable(true);
    speed_ = AddArgument<double>("speed", {.unit = "m s-1", .value = 0.2, .minimum = 0.0});
    x_ = AddOutput("x", "m");
    y_ = AddOutput("y", "m");
    deviation_ = AddOutput("deviation", "m", {.description = "of the sensor from the line"});
  }

 private:
  void Start(openmi::Stamp) override {
    robot_ = {};
    robot_.speed = speed_.Value();
    Give();
  }
  void Step(openmi::Stamp from, openmi::Stamp to) override {
    constexpr int kParts = 100;
    for (int i = 0; i < kParts; ++i) robot_.Step(ToSeconds(to - from) / kParts);
    Give();
  }
  void Give() {
    x_.Set(robot_.x);
    y_.Set(robot_.y);
    deviation_.Set(robot_.deviation);
  }

  robot::Robot robot_;
  openmi::Argument<double> speed_;
  openmi::ScalarOutput x_;
  openmi::ScalarOutput y_;
  openmi::ScalarOutput deviation_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("line-following-robot.Twin", Twin)
