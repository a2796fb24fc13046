/* Misbehaves where its instance name says so: "DoStep:2=Error" gives Error at the second DoStep; others are Warning,
   Discard, Fatal, Crash, Hang, Stray (a message with a wrong environment), End (of the simulation) and Defaults (all
   variables get their start values again). "x.DoStep:1=Error" is the same for an instance in a system x, and several
   may stand between semicolons. It has something for every function of the standard that an importer may call: all
   types, an array with a structural parameter, a clock, an event indicator, directional derivatives. */
#include <stdlib.h>
#include <string.h>

#include "Model.h"

enum { kMostOrders = 4 };

typedef struct {
  double time, u, x, dx, above, array[kMaxElements];
  uint64_t n;
  bool clock, part, given, given_part, said;
  int32_t count[kMostOrders];
  float f32;
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64, option;
  uint64_t u64;
  bool boolean;
  Text text;
  Blob blob;
} Data;
#define AT(field) offsetof(Data, field)

enum { kTime, kU, kX, kDx, kAbove, kN, kArray, kClockVariable, kFirstOfTypes };

#define PARAMETER(type, field, start) \
  { #field, type, kParameter, kFixed, AT(field), start, NULL, "set and shown again" }

static const Variable kVariables[] = {
    {"time", kFloat64, kIndependent, kContinuous, AT(time), NULL, NULL, "simulation time"},
    {"u", kFloat64, kInput, kContinuous, AT(u), "0", NULL, "input"},
    {"x", kFloat64, kOutput, kContinuous, AT(x), "0", NULL, "the state"},
    {"der(x)", kFloat64, kLocal, kContinuous, AT(dx), NULL, NULL, "derivative of x", .derivative_of = 1 + kX},
    {"above", kFloat64, kLocal, kContinuous, AT(above), NULL, NULL, "an event indicator that stays positive"},
    {"n", kUInt64, kStructural, kFixed, AT(n), "2", NULL, "size of array", .attributes = "max=\"64\""},
    {"array", kFloat64, kParameter, kFixed, AT(array), "1", NULL, "set and shown again", .rows = 1 + kN},
    {"clock", kClock, kInput, kDiscrete, AT(clock), "false", NULL, "ticks when the FMU says",
     .attributes = "intervalVariability=\"fixed\" priority=\"1\""},
    PARAMETER(kInt32, i32, "-32"),
    PARAMETER(kBoolean, boolean, "true"),
    PARAMETER(kString, text, "text"),
    PARAMETER(kEnumeration, option, "2"),
    PARAMETER(kFloat32, f32, "0.5"),
    PARAMETER(kInt8, i8, "-8"),
    PARAMETER(kUInt8, u8, "8"),
    PARAMETER(kInt16, i16, "-16"),
    PARAMETER(kUInt16, u16, "16"),
    PARAMETER(kUInt32, u32, "32"),
    PARAMETER(kInt64, i64, "-64"),
    PARAMETER(kUInt64, u64, "64"),
    PARAMETER(kBinary, blob, "626c6f62"),
    {"part", kClock, kInput, kDiscrete, AT(part), NULL, NULL, "ticks when the FMU says, as a fraction",
     .attributes = "intervalVariability=\"fixed\" supportsFraction=\"true\" priority=\"1\""},
    {"given", kClock, kInput, kDiscrete, AT(given), NULL, NULL, "ticks each 10 s, or as the importer says",
     .attributes = "intervalVariability=\"fixed\" intervalDecimal=\"10\" priority=\"1\""},
    {"given_part", kClock, kInput, kDiscrete, AT(given_part), NULL, NULL, "the same, as a fraction",
     .attributes = "intervalVariability=\"fixed\" supportsFraction=\"true\" intervalDecimal=\"10\" "
                   "intervalCounter=\"20\" resolution=\"2\" priority=\"1\""},
    {"said", kClock, kOutput, kDiscrete, AT(said), NULL, NULL, "never ticks",
     .attributes = "intervalVariability=\"triggered\""},
};

/* Named as a function of SUNDIALS that gives an error without a solver: hosts hold SUNDIALS, and this one is meant. */
__attribute__((visibility("default"))) int CVodeGetNumSteps(void* solver, long* steps);
int CVodeGetNumSteps(void* solver, long* steps) {
  (void)solver, (void)steps;
  return 0;
}

static Status EvaluateFailing(Instance* instance) {
  Data* data = DATA(instance, Data);
  data->time = instance->core->time;
  data->dx = 1.0 + data->u + CVodeGetNumSteps(NULL, NULL);
  data->above = 1e6 + data->x;
  return kOK;
}

static void FailingIndicators(Instance* instance, double values[]) {
  values[0] = 1e6 + DATA(instance, Data)->x;
}

static void FailingEvent(Instance* instance, EventResult* result) {
  (void)result;
  DATA(instance, Data)->clock = false;
}

static double Jacobian(Instance* instance, int unknown, int known) {
  (void)instance;
  return unknown == kDx && known == kU ? 1.0 : 0.0;
}

/* Where the order for the call begins, in the name of the instance; NULL: there is none. */
static const char* OrderFor(const Instance* instance, const char* call) {
  const size_t length = strlen(call);
  for (const char* at = strstr(instance->name, call); at != NULL; at = strstr(at + length, call)) {
    if (at[length] == ':' && (at == instance->name || at[-1] == '.' || at[-1] == ';')) return at;
  }
  return NULL;
}

static int* volatile nowhere = (int*)8;

static Status Misbehave(Instance* instance, const char* call) {
  const char* at = OrderFor(instance, call);
  if (at == NULL) return kOK;
  int order = 0;
  for (const char* c = instance->name; c != at; ++c) order += *c == ';' && order + 1 < kMostOrders;
  char* how = NULL;
  const long number = strtol(at + strlen(call) + 1, &how, 10);
  if (++DATA(instance, Data)->count[order] != number) return kOK;
  const int length = (int)strcspn(how, ";");
  Log(instance, kOK, "logEvents", "%s misbehaves as told: 100%% %.*s", call, length, how);
  static const char* const words[] = {"=OK", "=Warning", "=Discard", "=Error", "=Fatal"};
  for (Status status = kWarning; status <= kFatal; ++status) {
    if ((size_t)length != strlen(words[status]) || strncmp(how, words[status], (size_t)length) != 0) continue;
    if (status == kError) Log(instance, kError, "logStatusError", "%s failed", call);
    return status;
  }
  if (strncmp(how, "=Stray", (size_t)length) == 0) { /* a message of an importer that does not exist */
    void* const environment = instance->environment;
    instance->environment = (void*)1;
    Log(instance, kOK, "logEvents", "from elsewhere");
    instance->environment = environment;
  }
  if (strncmp(how, "=Defaults", (size_t)length) == 0) LoadStartValues(instance);
  if (strncmp(how, "=End", (size_t)length) == 0) instance->core->terminate = true;
  if (strncmp(how, "=Crash", (size_t)length) == 0) *nowhere = 1;
  for (volatile bool hangs = strncmp(how, "=Hang", (size_t)length) == 0; hangs;) {
  }
  return kOK;
}

static Status FailingPartition(Instance* instance, uint32_t clock, double time) {
  (void)clock;
  DATA(instance, Data)->time = time;
  return kOK;
}

const Model kModel = {
    .identifier = "Failing",
    .description = "misbehaves when told to",
    .variables = kVariables,
    .variable_count = sizeof kVariables / sizeof *kVariables,
    .data_size = sizeof(Data),
    .types = "Option Option_1 Option_2",
    .indicator_count = 1,
    .indicator_references = {kAbove},
    .stop_time = 1.0,
    .step = 0.1,
    .internal_step = 0.05,
    .clock_interval = 10.0,
    .clock_resolution = 1,
    .directional = true,
    .event_mode = true,
    .interpolates = true,
    .completed_step = true,
    .evaluate = EvaluateFailing,
    .indicators = FailingIndicators,
    .event = FailingEvent,
    .scheduled = true,
    .partition = FailingPartition,
    .before = Misbehave,
    .jacobian = Jacobian,
};
