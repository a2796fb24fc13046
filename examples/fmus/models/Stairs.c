/* A counter that goes up each second by time events, and ends the simulation at its tenth step. */
#include "Model.h"

typedef struct {
  double time;
  int32_t counter;
} Data;
#define AT(field) offsetof(Data, field)

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"counter", kInt32, kOutput, kDiscrete, AT(counter), "1", NULL, "number of the stair"},
};

static Status EvaluateStairs(Instance* instance) {
  DATA(instance, Data)->time = instance->core->time;
  return kOK;
}

static void StairsEvent(Instance* instance, EventResult* result) {
  Data* data = DATA(instance, Data);
  const Core* core = instance->core;
  const double next = core->start_time + data->counter;
  if (core->time >= next - 1e-9) {
    ++data->counter;
    if (data->counter >= 10) result->terminate = true;
  }
  result->has_next_time = true;
  result->next_time = core->start_time + data->counter;
}

const Model kModel = {
    .identifier = "Stairs",
    .description = "a counter with time events",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 10.0,
    .step = 0.2,
    .internal_step = 0.2,
    .event_mode = true,
    .evaluate = EvaluateStairs,
    .event = StairsEvent,
};
