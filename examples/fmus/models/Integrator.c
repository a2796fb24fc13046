/* x' = u, in many small steps: takes the derivative of its input, so that a ramp is integrated well. */
#include "Model.h"

typedef struct {
  double time, u, x, dx;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kU, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"u", kFloat64, kInput, kContinuous, AT(u), "0", NULL, "what is integrated", .intermediate = true},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "the integral", .intermediate = true},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
};

static Status EvaluateIntegrator(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = data->u;
  return kOK;
}

const Model kModel = {
    .identifier = "Integrator",
    .description = "integrates its input",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .internal_step = 0.001,
    .interpolates = true,
    .intermediate = true,
    .evaluate = EvaluateIntegrator,
};
