/* Clocks of FMI 3.0: one that ticks each half second, one that the importer ticks when it likes, and one that ticks
   by itself when the sum of both counts is a multiple of four. */
#include "Model.h"

typedef struct {
  double time;
  bool periodic, asked, fourth;
  int32_t periodic_count, asked_count, fourth_count, total;
  double held, sampled;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kPeriodic, kAsked, kFourth };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"periodic", kClock, kInput, kDiscrete, AT(periodic), "false", NULL, "ticks each half second",
     .attributes = "intervalVariability=\"constant\" intervalDecimal=\"0.5\""},
    {"asked", kClock, kInput, kDiscrete, AT(asked), "false", NULL, "ticks when the importer says so",
     .attributes = "intervalVariability=\"triggered\""},
    {"fourth", kClock, kOutput, kDiscrete, AT(fourth), NULL, NULL, "ticks at each fourth count",
     .attributes = "intervalVariability=\"triggered\""},
    {"periodic_count", kInt32, kOutput, kDiscrete, AT(periodic_count), "0", NULL, "ticks of periodic"},
    {"asked_count", kInt32, kOutput, kDiscrete, AT(asked_count), "0", NULL, "ticks of asked"},
    {"fourth_count", kInt32, kOutput, kDiscrete, AT(fourth_count), "0", NULL, "ticks of fourth"},
    {"total", kInt32, kOutput, kDiscrete, AT(total), NULL, NULL, "all ticks"},
    {"signal", kFloat64, kInput, kContinuous, AT(held), "0", NULL, "what periodic samples"},
    {"sampled", kFloat64, kOutput, kDiscrete, AT(sampled), "0", NULL, "signal at the last tick of periodic",
     .clock = 1 + kPeriodic},
};

static Status EvaluateClocks(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  const int32_t ticks = (data->periodic ? 1 : 0) + (data->asked ? 1 : 0);
  if (data->periodic) data->sampled = data->held;
  data->fourth = ticks > 0 && (data->periodic_count + data->asked_count + ticks) % 4 == 0;
  data->total = data->periodic_count + data->asked_count + data->fourth_count;
  return kOK;
}

static void ClocksEvent(Instance* instance, EventResult* result) {
  Data* data = DATA(instance, Data);
  (void)result;
  if (data->periodic) ++data->periodic_count;
  if (data->asked) ++data->asked_count;
  if (data->fourth) ++data->fourth_count;
  data->periodic = data->asked = false;
}

const Model kModel = {
    .identifier = "Clocks",
    .description = "counts the ticks of clocks",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 4.0,
    .step = 0.25,
    .event_mode = true,
    .no_model_exchange = true,
    .evaluate = EvaluateClocks,
    .event = ClocksEvent,
};
