/* The oscillator of Van der Pol: two states and their Jacobian. */
#include "Model.h"

typedef struct {
  double time, x0, x1, dx0, dx1, mu;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kX0, kDx0, kX1, kDx1, kMu };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"x0", kFloat64, kOutput, kContinuous, AT(x0), "2", NULL, "the first state"},
    {"der(x0)", kFloat64, kLocal, kContinuous, AT(dx0), NULL, NULL, "derivative of x0", .derivative_of = 1 + kX0},
    {"x1", kFloat64, kOutput, kContinuous, AT(x1), "0", NULL, "the second state"},
    {"der(x1)", kFloat64, kLocal, kContinuous, AT(dx1), NULL, NULL, "derivative of x1", .derivative_of = 1 + kX1},
    {"mu", kFloat64, kParameter, kFixed, AT(mu), "1", NULL, "damping"},
};

static Status EvaluateOscillator(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx0 = data->x1;
  data->dx1 = data->mu * (1.0 - data->x0 * data->x0) * data->x1 - data->x0;
  return kOK;
}

static double Jacobian(Instance* instance, int unknown, int known) {
  const Data* data = DATA(instance, Data);
  if (unknown == kDx0) return known == kX1 ? 1.0 : 0.0;
  if (unknown == kDx1 && known == kX0) return -2.0 * data->mu * data->x0 * data->x1 - 1.0;
  if (unknown == kDx1 && known == kX1) return data->mu * (1.0 - data->x0 * data->x0);
  return unknown == known ? 1.0 : 0.0;
}

const Model kModel = {
    .identifier = "VanDerPol",
    .description = "the oscillator of Van der Pol",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 20.0,
    .step = 0.01,
    .internal_step = 0.01,
    .directional = true,
    .evaluate = EvaluateOscillator,
    .jacobian = Jacobian,
};
