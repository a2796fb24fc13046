/* x' = 1 in steps of at most `longest`: a longer one is discarded. It says nothing about the step that it likes, may
   stall in a step, and gives no number where a parameter says so. */
#include <math.h>
#include <time.h>

#include "Model.h"

typedef struct {
  double time, x, dx, longest, stall, u;
  bool silent;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "time since the start"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
    {"longest", kFloat64, kParameter, kFixed, AT(longest), "1000", NULL, "step above which a step is discarded"},
    {"stall", kFloat64, kParameter, kFixed, AT(stall), "0", NULL,
     "seconds of the wall clock that steps take after 0.35 s"},
    {"silent", kBoolean, kParameter, kFixed, AT(silent), "false", NULL, "x is not a number after the start"},
    {"u", kFloat64, kInput, kContinuous, AT(u), "0", NULL, "has no effect"},
};

static Status EvaluateCautious(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = 1.0;
  if (data->silent && data->time > instance->core->start_time) data->x = NAN;
  if (data->stall > 0.0 && instance->core->mode == kStepMode && data->time > 0.35) {
    Log(instance, kOK, "logEvents", "stalls");
    struct timespec pause = {.tv_sec = (time_t)data->stall, .tv_nsec = 0};
    while (nanosleep(&pause, &pause) != 0) { /* a signal is not for us */
    }
  }
  return kOK;
}

static double LongestStep(Instance* instance) {
  return DATA(instance, Data)->longest;
}

const Model kModel = {
    .identifier = "Cautious",
    .description = "discards steps that are too long",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .no_step = true,
    .longest_step = LongestStep,
    .interpolates = true,
    .refuses_slopes = true,
    .evaluate = EvaluateCautious,
};
