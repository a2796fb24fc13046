/* A ball that falls and bounces: one event indicator, states that jump. */
#include <math.h>

#include "Model.h"

typedef struct {
  double time, h, v, dh, dv, g, e, v_min;
  bool at_rest;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kHeight, kFall, kSpeed, kPull, kGravity, kBounce, kLeast };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, "s", "simulation time"},
    {"h", kFloat64, kOutput, kContinuous, AT(h), "1", "m", "height of the ball"},
    {"der(h)", kFloat64, kLocal, kContinuous, AT(dh), NULL, "m/s", "derivative of h", .derivative_of = 1 + kHeight},
    {"v", kFloat64, kOutput, kContinuous, AT(v), "0", "m/s", "velocity of the ball", .attributes = "reinit=\"true\""},
    {"der(v)", kFloat64, kLocal, kContinuous, AT(dv), NULL, "m/s2", "derivative of v", .derivative_of = 1 + kSpeed},
    {"g", kFloat64, kParameter, kFixed, AT(g), "-9.81", "m/s2", "acceleration"},
    {"e", kFloat64, kParameter, kTunable, AT(e), "0.7", NULL, "part of the velocity that a bounce leaves"},
    {"v_min", kFloat64, kLocal, kConstant, AT(v_min), "0.1", "m/s", "velocity below which the ball rests"},
};

static Status EvaluateBall(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dh = data->at_rest ? 0.0 : data->v;
  data->dv = data->at_rest ? 0.0 : data->g;
  return kOK;
}

static void BallIndicators(Instance* instance, double values[]) {
  const Data* data = DATA(instance, Data);
  values[0] = data->h == 0.0 && data->v >= 0.0 ? 1.0 : data->h;
}

static void BallEvent(Instance* instance, EventResult* result) {
  Data* data = DATA(instance, Data);
  if (data->h > 0.0 || data->v >= 0.0 || data->at_rest) return;
  Log(instance, kOK, "logEvents", "bounce at %g s", instance->core->time);
  data->h = 2.2250738585072014e-308; /* the smallest normal number: above the ground */
  data->v = -data->v * data->e;
  if (data->v < data->v_min) {
    data->v = 0.0;
    data->at_rest = true;
  }
  result->states_changed = true;
}

const Model kModel = {
    .identifier = "BouncingBall",
    .description = "a ball that bounces on the ground",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .units =
        "    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n    <Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>\n"
        "    <Unit name=\"m/s\"><BaseUnit m=\"1\" s=\"-1\"/></Unit>\n"
        "    <Unit name=\"m/s2\"><BaseUnit m=\"1\" s=\"-2\"/></Unit>\n",
    .indicator_count = 1,
    .indicator_references = {kHeight},
    .stop_time = 3.0,
    .step = 0.01,
    .internal_step = 0.01,
    .evaluate = EvaluateBall,
    .indicators = BallIndicators,
    .event = BallEvent,
};
