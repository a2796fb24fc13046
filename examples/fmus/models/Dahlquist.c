/* The test equation x' = -k x. */
#include "Model.h"

typedef struct {
  double time, x, dx, k;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kX, kDx, kK };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "1", NULL, "the state"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
    {"k", kFloat64, kParameter, kFixed, AT(k), "1", NULL, "rate of decay"},
};

static Status EvaluateDecay(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = -data->k * data->x;
  return kOK;
}

const Model kModel = {
    .identifier = "Dahlquist",
    .description = "exponential decay",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 10.0,
    .step = 0.1,
    .internal_step = 0.1,
    .evaluate = EvaluateDecay,
};
