/* Arrays of FMI 3.0 with structural parameters: x' = A x + B u, y = x, with n states and m inputs. */
#include "Model.h"

typedef struct {
  double time;
  uint64_t n, m;
  double a[kMaxElements], b[kMaxElements], x0[kMaxElements];
  double u[kMaxElements], y[kMaxElements], x[kMaxElements], dx[kMaxElements];
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kN, kM, kA, kB, kX0, kU, kY, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"n", kUInt64, kStructural, kFixed, AT(n), "3", NULL, "number of states", .attributes = "max=\"8\""},
    {"m", kUInt64, kStructural, kFixed, AT(m), "2", NULL, "number of inputs", .attributes = "max=\"8\""},
    {"A", kFloat64, kParameter, kTunable, AT(a), "0", NULL, "system", .rows = 1 + kN, .columns = 1 + kN},
    {"B", kFloat64, kParameter, kTunable, AT(b), "1", NULL, "how inputs act", .rows = 1 + kN, .columns = 1 + kM},
    {"x0", kFloat64, kParameter, kFixed, AT(x0), "0", NULL, "initial states", .rows = 1 + kN},
    {"u", kFloat64, kInput, kContinuous, AT(u), "1", NULL, "inputs", .rows = 1 + kM},
    {"y", kFloat64, kOutput, kContinuous, AT(y), NULL, NULL, "outputs", .rows = 1 + kN},
    {"x", kFloat64, kLocal, kContinuous, AT(x), "0", NULL, "states", .rows = 1 + kN},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivatives", .derivative_of = 1 + kX,
     .rows = 1 + kN},
};

static Status StartArrays(Instance* instance) {
  Data* data = DATA(instance, Data);
  for (uint64_t i = 0; i < data->n; ++i) data->x[i] = data->x0[i];
  return kOK;
}

static Status EvaluateArrays(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  if (data->n == 0 || data->m == 0 || data->n > 8 || data->m > 8) {
    Log(instance, kError, "logStatusError", "n and m must be between 1 and 8");
    return kError;
  }
  for (uint64_t i = 0; i < data->n; ++i) {
    double sum = 0.0;
    for (uint64_t j = 0; j < data->n; ++j) sum += data->a[i * data->n + j] * data->x[j];
    for (uint64_t j = 0; j < data->m; ++j) sum += data->b[i * data->m + j] * data->u[j];
    data->dx[i] = sum;
    data->y[i] = data->x[i];
  }
  return kOK;
}

const Model kModel = {
    .identifier = "Arrays",
    .description = "a linear system with arrays",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 2.0,
    .step = 0.1,
    .internal_step = 0.1,
    .initialize = StartArrays,
    .evaluate = EvaluateArrays,
};
