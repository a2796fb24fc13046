/* In the shape of code that is generated from block diagrams: three functions without arguments, structs of the inputs,
 * the outputs and the parameters, and a fixed step. */
#ifndef GATE_MODEL_H
#define GATE_MODEL_H
#ifdef __cplusplus
extern "C" {
#endif
typedef double real_T;
typedef struct {
  real_T level;
  real_T setpoint;
} ExtU_gate_model_T;
typedef struct {
  real_T opening;
} ExtY_gate_model_T;
typedef struct {
  real_T gain;
  real_T reset_time;
} P_gate_model_T;
typedef struct {
  real_T integrator;
} DW_gate_model_T;
extern ExtU_gate_model_T gate_model_U;
extern ExtY_gate_model_T gate_model_Y;
extern P_gate_model_T gate_model_P;
extern const real_T gate_model_step_size; /* s */
void gate_model_initialize(void);
void gate_model_step(void);
void gate_model_terminate(void);
#ifdef __cplusplus
}
#endif
#endif
