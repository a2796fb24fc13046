/* Reads the first character of a file that it brings with it. */
#include <stdio.h>

#include "Model.h"

typedef struct {
  double time;
  int32_t y;
} Data;
#define AT(field) offsetof(Data, field)

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"y", kInt32, kOutput, kDiscrete, AT(y), NULL, NULL, "code of the first character of resources/y.txt"},
};

static Status ReadResource(Instance* instance) {
  char path[4200];
  snprintf(path, sizeof path, "%s/y.txt", instance->resources);
  FILE* file = fopen(path, "rb");
  if (file == NULL) {
    Log(instance, kError, "logStatusError", "cannot open '%s'", path);
    return kError;
  }
  DATA(instance, Data)->y = fgetc(file);
  fclose(file);
  return kOK;
}

static Status EvaluateResource(Instance* instance) {
  DATA(instance, Data)->time = instance->core->time;
  return kOK;
}

const Model kModel = {
    .identifier = "Resource",
    .description = "shows what a resource file holds",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .initialize = ReadResource,
    .evaluate = EvaluateResource,
};
