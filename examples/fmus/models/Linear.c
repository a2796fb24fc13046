/* y = a u + b + x, x' = -k x: half of an algebraic loop. */
#include "Model.h"

typedef struct {
  double time, u, y, a, b, k, x, dx;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kU, kY, kA, kB, kK, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"u", kFloat64, kInput, kContinuous, AT(u), "0", NULL, "goes through at once"},
    {"y", kFloat64, kOutput, kContinuous, AT(y), NULL, NULL, "a u + b + x"},
    {"a", kFloat64, kParameter, kFixed, AT(a), "0.5", NULL, "factor"},
    {"b", kFloat64, kParameter, kFixed, AT(b), "1", NULL, "offset"},
    {"k", kFloat64, kParameter, kFixed, AT(k), "1", NULL, "rate of decay"},
    {"x", kFloat64, kLocal, kContinuous, AT(x), "1", NULL, "the state"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
};

static Status EvaluateLinear(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = -data->k * data->x;
  data->y = data->a * data->u + data->b + data->x;
  return kOK;
}

const Model kModel = {
    .identifier = "Linear",
    .description = "a feed-through with a state",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .internal_step = 0.1,
    .evaluate = EvaluateLinear,
};
