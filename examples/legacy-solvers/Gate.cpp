// A controller as a code generator writes it, wrapped: its step is fixed.
#include <bmi-bridge/solver/SolverComponent.hpp>

#include "gate_model.h"

class Gate final : public openmi::SolverComponent {
 public:
  Gate() : SolverComponent("gate") {
    SetDescription("a proportional-integral controller of a gate");
    SetWholeSteps(true);
    setpoint_ = AddArgument<double>("setpoint", {.unit = "m", .value = 1.0});
    gain_ = AddArgument<double>("gain", {.unit = "m-1", .value = gate_model_P.gain});
  }

 private:
  void Open() override {
    gate_model_initialize();
    SetTimeStep(openmi::Seconds(gate_model_step_size));
    gate_model_P.gain = gain_.Value();
    gate_model_U.setpoint = setpoint_.Value();
    BindInput("level", "m", gate_model_U.level);
    BindOutput("opening", "1", gate_model_Y.opening);
  }
  double Advance(double now, double) override {
    gate_model_step();
    return now + gate_model_step_size;
  }
  void Close() override { gate_model_terminate(); }

  openmi::Argument<double> setpoint_, gain_;
};
OPENMI_EXPORT_COMPONENT(Gate)
