// The simulator as a component of the process that runs the composition: what the DCP slave gives, without DCP.
#include <array>
#include <string>

#include "examples/platoon/Simulator.hpp"
#include "timespace/SteppingComponent.hpp"

namespace platoon {

class SimulatorComponent final : public openmi::SteppingComponent {
 public:
  SimulatorComponent() : SteppingComponent("platoon-simulator", "PT0.01S") {
    const Scenario usual;
    speed_ = AddArgument<double>("initial-speed", {.unit = "m/s", .value = usual.speed});
    time_gap_ = AddArgument<double>("initial-time-gap", {.unit = "s", .value = usual.time_gap});
    to_block_ = AddArgument<double>("initial-distance-to-block", {.unit = "m", .value = usual.to_block});
    stand_ = AddArgument<double>("stand-before-block", {.unit = "m", .value = usual.stand_before_block});
    deceleration_ = AddArgument<double>("leader-deceleration", {.unit = "m/s2", .value = usual.deceleration});
    // A composition may put the DCP slave in this place, and then says these.
    AddArgument<std::string>("host", {.description = "of a slave: without meaning here",
                                      .optional = true,
                                      .meaning = openmi::ArgumentMeaning::Host});
    AddArgument<int>("port", {.description = "of a slave: without meaning here", .optional = true});
    AddArgument<std::string>("exchange-log", {.description = "of a slave: without meaning here",
                                              .optional = true,
                                              .meaning = openmi::ArgumentMeaning::Path});
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i] = AddInput(std::string(Simulator::kInputs[i].name), std::string(Simulator::kInputs[i].unit));
    }
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i] = AddOutput(std::string(Simulator::kOutputs[i].name), std::string(Simulator::kOutputs[i].unit));
    }
  }

 private:
  void Start(openmi::Stamp) override {
    simulator_ = Simulator({.speed = speed_.Value(),
                            .time_gap = time_gap_.Value(),
                            .to_block = to_block_.Value(),
                            .stand_before_block = stand_.Value(),
                            .deceleration = deceleration_.Value()});
    Give();
  }

  void Step(openmi::Stamp from, openmi::Stamp to) override {
    std::array<double, Simulator::kInputCount> given{};
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = inputs_[i].Get();
    simulator_.SetInputs(given);
    simulator_.Advance(openmi::ToSeconds(to - from));
    Give();
  }

  void Give() {
    std::array<double, Simulator::kOutputCount> row{};
    simulator_.GetOutputs(row);
    for (std::size_t i = 0; i < row.size(); ++i) outputs_[i].Set(row[i]);
  }

  openmi::Argument<double> speed_, time_gap_, to_block_, stand_, deceleration_;
  std::array<openmi::ScalarInput, Simulator::kInputCount> inputs_;
  std::array<openmi::ScalarOutput, Simulator::kOutputCount> outputs_;
  Simulator simulator_;
};

}  // namespace platoon

OPENMI_EXPORT_COMPONENT_AS("platoon.Simulator", platoon::SimulatorComponent)
