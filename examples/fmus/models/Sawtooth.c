/* x' = 1 until x is at its limit, then 0 again: in co-simulation with event mode, a step returns early there. */
#include "Model.h"

typedef struct {
  double time, x, dx, limit;
  int32_t teeth;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kX, kDx, kLimit, kTeeth, kRest };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "the tooth", .attributes = "reinit=\"true\""},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
    {"limit", kFloat64, kParameter, kFixed, AT(limit), "0.75", NULL, "height of a tooth"},
    {"teeth", kInt32, kOutput, kDiscrete, AT(teeth), "0", NULL, "number of teeth that are whole"},
};

static Status EvaluateSawtooth(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = 1.0;
  return kOK;
}

static void SawtoothIndicators(Instance* instance, double values[]) {
  const Data* data = DATA(instance, Data);
  values[0] = data->limit - 1e-12 - data->x;
}

static void SawtoothEvent(Instance* instance, EventResult* result) {
  Data* data = DATA(instance, Data);
  if (data->x < data->limit - 1e-9) return;
  data->x = 0.0;
  ++data->teeth;
  result->states_changed = true;
}

const Model kModel = {
    .identifier = "Sawtooth",
    .description = "a ramp that falls back",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .indicator_count = 1,
    .indicator_references = {kX},
    .stop_time = 4.0,
    .step = 1.0,
    .internal_step = 0.125,
    .event_mode = true,
    .evaluate = EvaluateSawtooth,
    .indicators = SawtoothIndicators,
    .event = SawtoothEvent,
};
