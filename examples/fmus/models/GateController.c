/* Holds the level of a reservoir: a proportional and integrating controller moves a sluice gate, whose discharge
   follows from opening and level (free flow under a gate). */
#include <math.h>

#include "Model.h"

typedef struct {
  double time, level, target, gain, reset_time, width, height, contraction;
  double sum, dsum, opening, discharge;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kLevel, kTarget, kGain, kReset, kWidth, kHeight, kContraction, kSum, kDsum, kOpening, kDischarge };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, "s", "simulation time"},
    {"level", kFloat64, kInput, kContinuous, AT(level), "10", "m", "level of the reservoir above the sill"},
    {"target", kFloat64, kParameter, kTunable, AT(target), "10", "m", "level to hold"},
    {"gain", kFloat64, kParameter, kTunable, AT(gain), "0.5", "1/m", "opening for each metre of deviation"},
    {"reset-time", kFloat64, kParameter, kFixed, AT(reset_time), "21600", "s", "of the integrating part"},
    {"width", kFloat64, kParameter, kFixed, AT(width), "8", "m", "of the gate"},
    {"height", kFloat64, kParameter, kFixed, AT(height), "2", "m", "of the gate when it is open"},
    {"contraction", kFloat64, kParameter, kFixed, AT(contraction), "0.6", NULL, "coefficient of discharge"},
    {"sum", kFloat64, kLocal, kContinuous, AT(sum), "0", NULL, "integrating part"},
    {"der(sum)", kFloat64, kLocal, kContinuous, AT(dsum), NULL, "1/s", "its derivative", .derivative_of = 1 + kSum},
    {"opening", kFloat64, kOutput, kContinuous, AT(opening), NULL, NULL, "part of the gate that is open, 0 to 1"},
    {"discharge", kFloat64, kOutput, kContinuous, AT(discharge), NULL, "m3/s", "through the gate"},
};

static Status EvaluateGate(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  const double wanted = data->gain * (data->level - data->target) + data->sum;
  data->opening = fmin(1.0, fmax(0.0, wanted));
  /* No winding up while the gate is at an end. */
  data->dsum = wanted == data->opening ? data->gain * (data->level - data->target) / data->reset_time : 0.0;
  data->discharge =
      data->contraction * data->width * data->height * data->opening * sqrt(2.0 * 9.81 * fmax(0.0, data->level));
  return kOK;
}

const Model kModel = {
    .identifier = "GateController",
    .description = "a gate that holds the level of a reservoir",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .units =
        "    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
        "    <Unit name=\"1/m\"><BaseUnit m=\"-1\"/></Unit>\n    <Unit name=\"1/s\"><BaseUnit s=\"-1\"/></Unit>\n"
        "    <Unit name=\"m3/s\"><BaseUnit m=\"3\" s=\"-1\"/></Unit>\n",
    .stop_time = 86400.0,
    .step = 600.0,
    .internal_step = 60.0,
    .evaluate = EvaluateGate,
};
