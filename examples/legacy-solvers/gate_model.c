#include "gate_model.h"

ExtU_gate_model_T gate_model_U;
ExtY_gate_model_T gate_model_Y;
P_gate_model_T gate_model_P = {0.4, 3600.0};
const real_T gate_model_step_size = 60.0;
static DW_gate_model_T gate_model_DW;

void gate_model_initialize(void) {
  gate_model_DW.integrator = 0.0;
  gate_model_Y.opening = 0.0;
}

void gate_model_step(void) {
  const real_T rtb_Error = gate_model_U.level - gate_model_U.setpoint;
  const real_T rtb_Sum = gate_model_P.gain * rtb_Error + gate_model_DW.integrator;
  gate_model_Y.opening = rtb_Sum > 1.0 ? 1.0 : rtb_Sum < 0.0 ? 0.0 : rtb_Sum;
  if (rtb_Sum == gate_model_Y.opening) {
    gate_model_DW.integrator += gate_model_P.gain * rtb_Error * gate_model_step_size / gate_model_P.reset_time;
  }
}

void gate_model_terminate(void) {}
