/* Misbehaves where its instance name says so: "DoStep:2=Error" gives Error at the second DoStep; others are Warning,
   Discard, Fatal and Crash. "x.DoStep:1=Error" is the same for an instance in a system x. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "Model.h"

typedef struct {
  double time, u, x, dx;
  int32_t count;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kU, kX, kDx };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"u", kFloat64, kInput, kContinuous, AT(u), "0", NULL, "input"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "the state"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
};

static Status EvaluateFailing(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = 1.0 + data->u;
  return kOK;
}

static Status Misbehave(Instance* instance, const char* call) {
  const char* at = strstr(instance->name, call);
  const size_t length = strlen(call);
  if (at == NULL || at[length] != ':' || (at != instance->name && at[-1] != '.')) return kOK;
  Data* data = DATA(instance, Data);
  char* how = NULL;
  const long number = strtol(at + length + 1, &how, 10);
  if (++data->count != number) return kOK;
  Log(instance, kOK, "logEvents", "%s misbehaves as told: 100%% %s", call, how);
  if (strcmp(how, "=Warning") == 0) return kWarning;
  if (strcmp(how, "=Discard") == 0) return kDiscard;
  if (strcmp(how, "=Error") == 0) {
    Log(instance, kError, "logStatusError", "%s failed", call);
    return kError;
  }
  if (strcmp(how, "=Fatal") == 0) return kFatal;
  if (strcmp(how, "=Crash") == 0) raise(SIGSEGV);
  return kOK;
}

const Model kModel = {
    .identifier = "Failing",
    .description = "misbehaves when told to",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .internal_step = 0.05,
    .event_mode = true,
    .interpolates = true,
    .evaluate = EvaluateFailing,
    .before = Misbehave,
};
