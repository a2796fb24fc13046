/* Shows how it is driven: what its inputs were, in which modes, and whether the importer keeps the way back open. */
#include "Model.h"

typedef struct {
  double time, steady, moving, level, x, dx, z, dz;
  Text word, word_shown;
  double level_shown;
  int32_t events, way_back;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kSteady, kMoving, kLevel, kWord, kX, kDx, kZ, kDz };

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"steady", kFloat64, kInput, kContinuous, AT(steady), "0", NULL, "continuous, not for intermediate update"},
    {"moving", kFloat64, kInput, kContinuous, AT(moving), "0", NULL, "continuous, for intermediate update",
     .intermediate = true},
    {"level", kFloat64, kInput, kDiscrete, AT(level), "0", NULL, "discrete"},
    {"word", kString, kInput, kDiscrete, AT(word), "none", NULL, "a discrete text"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "integral of moving"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "moving", .derivative_of = 1 + kX},
    {"z", kFloat64, kOutput, kContinuous, AT(z), "0", NULL, "integral of steady"},
    {"der(z)", kFloat64, kLocal, kContinuous, AT(dz), NULL, NULL, "steady", .derivative_of = 1 + kZ},
    {"level_shown", kFloat64, kOutput, kDiscrete, AT(level_shown), NULL, NULL, "level"},
    {"word_shown", kString, kOutput, kDiscrete, AT(word_shown), NULL, NULL, "word"},
    {"events", kInt32, kOutput, kDiscrete, AT(events), NULL, NULL, "how often event mode was passed through"},
    {"way_back", kInt32, kOutput, kDiscrete, AT(way_back), NULL, NULL,
     "1 where the last step was said to need a way back before its start"},
};

static Status EvaluateManners(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = data->moving;
  data->dz = data->steady;
  data->level_shown = data->level;
  for (int i = 0; i < kTextSize; ++i) data->word_shown[i] = data->word[i];
  data->way_back = instance->core->stepped && !instance->core->no_return;
  return kOK;
}

static void MannersEvent(Instance* instance, EventResult* result) {
  (void)result;
  ++DATA(instance, Data)->events;
}

const Model kModel = {
    .identifier = "Manners",
    .description = "shows how it is driven",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.0,
    .step = 0.1,
    .internal_step = 0.025,
    .event_mode = true,
    .intermediate = true,
    .completed_step = true,
    .exact_stop = true,
    .evaluate = EvaluateManners,
    .event = MannersEvent,
};
