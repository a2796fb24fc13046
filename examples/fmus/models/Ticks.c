/* Clocks of FMI 3.0 of all kinds. What belongs to a clock can be read and written while it ticks only. */
#include <stdio.h>

#include "Model.h"

typedef struct {
  double time, x, dx;
  bool fast, slow, thirds, pace, asked, both, later;
  int32_t by_fast, by_slow, by_thirds, by_pace, by_asked, by_both, by_later, total;
  double pace_interval, sample, sampled, x_at_both;
  bool even;
  Text note;
  bool waits; /* for `later` */
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kX, kDx, kFast, kSlow, kThirds, kPace, kAsked, kBoth, kLater };

#define COUNT(name, field, its_clock) \
  { name, kInt32, kOutput, kDiscrete, AT(field), "0", NULL, "ticks of the clock", .clock = 1 + its_clock }

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "time since the start"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
    {"fast", kClock, kInput, kDiscrete, AT(fast), NULL, NULL, "each 0.2 s",
     .attributes = "intervalVariability=\"constant\" intervalDecimal=\"0.2\""},
    {"slow", kClock, kInput, kDiscrete, AT(slow), NULL, NULL, "each 0.3 s",
     .attributes = "intervalVariability=\"constant\" intervalDecimal=\"0.3\""},
    {"thirds", kClock, kInput, kDiscrete, AT(thirds), NULL, NULL, "three times a second, says the FMU",
     .attributes = "intervalVariability=\"fixed\" supportsFraction=\"true\""},
    {"pace", kClock, kInput, kDiscrete, AT(pace), NULL, NULL, "each 0.5 s, or as the importer says",
     .attributes = "intervalVariability=\"fixed\" intervalDecimal=\"0.5\""},
    {"asked", kClock, kInput, kDiscrete, AT(asked), NULL, NULL, "when the importer says",
     .attributes = "intervalVariability=\"triggered\""},
    {"both", kClock, kOutput, kDiscrete, AT(both), NULL, NULL, "where fast and slow tick at once",
     .attributes = "intervalVariability=\"triggered\""},
    {"later", kClock, kInput, kDiscrete, AT(later), NULL, NULL, "0.15 s after each tick of asked",
     .attributes = "intervalVariability=\"countdown\""},
    COUNT("by_fast", by_fast, kFast),
    COUNT("by_slow", by_slow, kSlow),
    COUNT("by_thirds", by_thirds, kThirds),
    COUNT("by_pace", by_pace, kPace),
    COUNT("by_asked", by_asked, kAsked),
    COUNT("by_both", by_both, kBoth),
    COUNT("by_later", by_later, kLater),
    {"x_at_both", kFloat64, kOutput, kDiscrete, AT(x_at_both), "-1", NULL, "x at the last tick of both",
     .clock = 1 + kBoth},
    {"even", kBoolean, kOutput, kDiscrete, AT(even), "false", NULL, "by_fast is even", .clock = 1 + kFast},
    {"note", kString, kOutput, kDiscrete, AT(note), "none", NULL, "by_slow as text", .clock = 1 + kSlow},
    {"sample", kFloat64, kInput, kDiscrete, AT(sample), "0", NULL, "taken when asked ticks", .clock = 1 + kAsked},
    {"sampled", kFloat64, kOutput, kDiscrete, AT(sampled), "0", NULL, "sample at the last tick of asked",
     .clock = 1 + kAsked},
    {"total", kInt32, kOutput, kDiscrete, AT(total), NULL, NULL, "all ticks"},
};

static Status EvaluateTicks(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = 1.0;
  data->both = data->fast && data->slow;
  if (data->asked) data->sampled = data->sample;
  if (data->both) data->x_at_both = data->x;
  return kOK;
}

/* Counted where a clock becomes active, so that what belongs to it is there while it ticks. */
static void Ticked(Instance* instance, uint32_t clock) {
  Data* data = DATA(instance, Data);
  switch (clock) {
    case kFast:
      data->even = ++data->by_fast % 2 == 0;
      break;
    case kSlow:
      snprintf(data->note, sizeof data->note, "%d", ++data->by_slow);
      break;
    case kThirds:
      ++data->by_thirds;
      break;
    case kPace:
      ++data->by_pace;
      break;
    case kAsked:
      ++data->by_asked;
      data->waits = true;
      break;
    case kLater:
      ++data->by_later;
      break;
    default:
      break;
  }
  if (clock != kBoth) ++data->total;
  if (data->fast && data->slow && (clock == kFast || clock == kSlow)) {
    ++data->by_both;
    ++data->total;
  }
}

/* Of the countdown: known after each tick of asked, once. */
static double IntervalOf(Instance* instance, uint32_t clock) {
  Data* data = DATA(instance, Data);
  if (clock != kLater || !data->waits) return 0.0;
  data->waits = false;
  return 0.15;
}

static void Pace(Instance* instance, uint32_t clock, double interval) {
  (void)clock;
  DATA(instance, Data)->pace_interval = interval;
}

const Model kModel = {
    .identifier = "Ticks",
    .description = "counts the ticks of clocks of all kinds",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 1.2,
    .step = 0.1,
    .clock_resolution = 3,
    .event_mode = true,
    .evaluate = EvaluateTicks,
    .ticked = Ticked,
    .interval = IntervalOf,
    .pace = Pace,
};
