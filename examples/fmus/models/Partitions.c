/* Model partitions of FMI 3.0 for scheduled execution, with clocks of all kinds. `trace` is the order in which they
   were activated, one letter each. */
#include <string.h>

#include "Model.h"

typedef struct {
  double time;
  bool regular, given, changing, later, asked, fifth;
  int32_t by_regular, by_given, by_changing, by_later, by_asked, by_fifth, total;
  double given_interval, gain, signal, sampled, mailbox, taken, taken_at;
  int32_t wish;          /* what goes wrong, in `regular` from the third time on */
  double later_interval; /* -1: not known */
  Text trace;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kRegular, kGiven, kChanging, kLater, kAsked, kFifth };
enum { kDoRight, kStayLocked, kUnlockTwice, kAskForThePast, kFail, kAskForNow, kAnnounceEarly };

#define INPUT_CLOCK(name, field, text, variability, rest)             \
  {                                                                   \
    name, kClock, kInput, kDiscrete, AT(field), NULL, NULL, text,     \
        .attributes = "intervalVariability=\"" variability "\" " rest \
  }
#define COUNT(name, field, its_clock) \
  { name, kInt32, kOutput, kDiscrete, AT(field), "0", NULL, "activations", .clock = 1 + its_clock }

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    INPUT_CLOCK("regular", regular, "each second", "constant", "intervalDecimal=\"1\" priority=\"1\""),
    INPUT_CLOCK("given", given, "each 0.75 s, or as the importer says", "tunable",
                "intervalDecimal=\"0.75\" priority=\"2\""),
    INPUT_CLOCK("changing", changing, "after 0.5 s, 1 s, 1.5 s, ...", "changing", "priority=\"3\""),
    INPUT_CLOCK("later", later, "at once after each third time of regular, 0.25 s after asked", "countdown",
                "priority=\"4\""),
    INPUT_CLOCK("asked", asked, "when the importer says", "triggered", "priority=\"0\""),
    {"fifth", kClock, kOutput, kDiscrete, AT(fifth), NULL, NULL, "at each fifth activation",
     .attributes = "intervalVariability=\"triggered\""},
    COUNT("by_regular", by_regular, kRegular),
    COUNT("by_given", by_given, kGiven),
    COUNT("by_changing", by_changing, kChanging),
    COUNT("by_later", by_later, kLater),
    COUNT("by_asked", by_asked, kAsked),
    COUNT("by_fifth", by_fifth, kFifth),
    {"total", kInt32, kOutput, kDiscrete, AT(total), "0", NULL, "all activations"},
    {"trace", kString, kOutput, kDiscrete, AT(trace), "", NULL, "all activations, one letter each"},
    {"gain", kFloat64, kParameter, kFixed, AT(gain), "2", NULL, "of sampled"},
    {"wish", kInt32, kParameter, kFixed, AT(wish), "0", NULL, "what goes wrong"},
    {"signal", kFloat64, kInput, kContinuous, AT(signal), "0", NULL, "what regular samples"},
    {"sampled", kFloat64, kOutput, kDiscrete, AT(sampled), "0", NULL, "gain times signal", .clock = 1 + kRegular},
    {"mail", kFloat64, kInput, kDiscrete, AT(mailbox), "0", NULL, "what asked takes", .clock = 1 + kAsked},
    {"taken", kFloat64, kOutput, kDiscrete, AT(taken), "0", NULL, "mail at the last tick of asked",
     .clock = 1 + kAsked},
    {"taken_at", kFloat64, kOutput, kDiscrete, AT(taken_at), "-1", NULL, "its time", .clock = 1 + kAsked},
};

static void Regular(Instance* instance, Data* data) {
  ++data->by_regular;
  data->sampled = data->gain * data->signal;
  if (data->by_regular % 3 == 0) data->later_interval = 0.0;
  if (data->by_regular < 3) return;
  if (data->wish == kStayLocked) LockPreemption(instance);
  if (data->wish == kUnlockTwice) UnlockPreemption(instance);
  if (data->wish == kAskForThePast) data->later_interval = -1e-300;
}

static Status Partition(Instance* instance, uint32_t clock, double time) {
  static const char* const kLetters = " rgcla";
  Data* data = DATA(instance, Data);
  data->time = time;
  LockPreemption(instance);
  ++data->total;
  const size_t length = strlen(data->trace);
  if (length + 1 < sizeof data->trace) data->trace[length] = kLetters[clock];
  data->fifth = data->total % 5 == 0;
  if (data->fifth) ++data->by_fifth;
  UnlockPreemption(instance);
  switch (clock) {
    case kRegular:
      Regular(instance, data);
      if (data->wish == kFail && data->by_regular == 3) return kDiscard;
      break;
    case kGiven:
      ++data->by_given;
      break;
    case kChanging:
      ++data->by_changing;
      break;
    case kLater:
      ++data->by_later;
      if (data->wish == kAskForNow) data->later_interval = 0.0;
      break;
    default:
      ++data->by_asked;
      data->taken = data->mailbox;
      data->taken_at = time;
      data->later_interval = 0.25;
      break;
  }
  if (data->fifth || data->later_interval != -1.0) AnnounceClocks(instance);
  return kOK;
}

static Status Initialize(Instance* instance) {
  DATA(instance, Data)->later_interval = -1.0;
  if (DATA(instance, Data)->wish == kAnnounceEarly) AnnounceClocks(instance);
  return kOK;
}

static double IntervalOf(Instance* instance, uint32_t clock) {
  Data* data = DATA(instance, Data);
  if (clock == kChanging) return 0.5 * (data->by_changing + 1);
  if (instance->core->mode == kInitialization) return -1.0;
  const double interval = data->later_interval;
  data->later_interval = -1.0;
  return interval;
}

static void Pace(Instance* instance, uint32_t clock, double interval) {
  (void)clock;
  DATA(instance, Data)->given_interval = interval;
}

const Model kModel = {
    .identifier = "Partitions",
    .description = "model partitions for a scheduler",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .stop_time = 10.0,
    .step = 1.0,
    .no_model_exchange = true,
    .no_co_simulation = true,
    .scheduled = true,
    .initialize = Initialize,
    .partition = Partition,
    .interval = IntervalOf,
    .pace = Pace,
};
