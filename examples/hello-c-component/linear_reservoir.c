/* A linear reservoir, as in ../hello-component: storage = k outflow, so d(outflow)/dt = (inflow - outflow) / k. Each
 * step is exact for an inflow that is constant over it. It keeps states, and states its balance. */
#include <math.h>
#include <openmi/c/openmi_component.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int k, initial;            /* arguments */
  int inflow, outflow, mean; /* items */
  double balance[3];         /* m3: storage, in, out */
} Reservoir;

static double Storage(openmi_instance* me, double outflow) {
  const Reservoir* reservoir = me->data;
  return me->host->number(me, reservoir->k) * 86400.0 * outflow;
}

static int Create(openmi_instance* me) {
  Reservoir* reservoir = me->data = calloc(1, sizeof *reservoir);
  if (reservoir == NULL) return openmi_fail(me, "expected memory for a reservoir, found none");
  reservoir->k = me->host->add_argument(me, &(openmi_argument){.size = sizeof(openmi_argument),
                                                               .id = "k",
                                                               .caption = "storage coefficient",
                                                               .unit = "d",
                                                               .value = "2.0",
                                                               .minimum = "1e-6"});
  reservoir->initial = me->host->add_argument(
      me,
      &(openmi_argument){
          .size = sizeof(openmi_argument), .id = "initial-outflow", .unit = "m3 s-1", .value = "0", .minimum = "0"});
  reservoir->inflow = me->host->add_input(
      me, &(openmi_item){.size = sizeof(openmi_item), .id = "inflow", .unit = "m3 s-1", .flags = OPENMI_OVER_STEP});
  reservoir->outflow = me->host->add_output(
      me,
      &(openmi_item){
          .size = sizeof(openmi_item), .id = "outflow", .description = "at the end of each step", .unit = "m3 s-1"});
  reservoir->mean = me->host->add_output(me, &(openmi_item){.size = sizeof(openmi_item),
                                                            .id = "mean-outflow",
                                                            .description = "over each step",
                                                            .unit = "m3 s-1",
                                                            .flags = OPENMI_OVER_STEP});
  return 0; /* had one of these calls been refused, the host would know */
}

static void Destroy(openmi_instance* me) {
  free(me->data);
}

static int Start(openmi_instance* me, double begin) {
  Reservoir* reservoir = me->data;
  const double initial = me->host->number(me, reservoir->initial);
  (void)begin;
  openmi_put(me, reservoir->outflow, initial);
  memset(reservoir->balance, 0, sizeof reservoir->balance);
  reservoir->balance[0] = Storage(me, initial);
  return 0;
}

static int Step(openmi_instance* me, const openmi_times* times) {
  Reservoir* reservoir = me->data;
  const double inflow = openmi_get(me, reservoir->inflow);
  const double before = openmi_last(me, reservoir->outflow);
  const double decay = exp(-(times->to - times->from) / me->host->number(me, reservoir->k));
  const double outflow = before * decay + inflow * (1.0 - decay);
  const double seconds = (times->to - times->from) * 86400.0;
  const double mean = inflow - (Storage(me, outflow) - Storage(me, before)) / seconds;
  openmi_put(me, reservoir->outflow, outflow);
  openmi_put(me, reservoir->mean, mean);
  reservoir->balance[0] = Storage(me, outflow);
  reservoir->balance[1] += inflow * seconds;
  reservoir->balance[2] += mean * seconds;
  return 0;
}

static int Save(openmi_instance* me) {
  const Reservoir* reservoir = me->data;
  return me->host->write_state(me, reservoir->balance, sizeof reservoir->balance);
}

static int Load(openmi_instance* me, const void* bytes, size_t size) {
  Reservoir* reservoir = me->data;
  if (size != sizeof reservoir->balance) return openmi_fail(me, "expected a state of 24 bytes, found %zu", size);
  memcpy(reservoir->balance, bytes, size);
  return 0;
}

static int Balance(openmi_instance* me, openmi_balance* balance) {
  const Reservoir* reservoir = me->data;
  balance->storage = reservoir->balance[0];
  balance->in = reservoir->balance[1];
  balance->out = reservoir->balance[2];
  return 0;
}

static const openmi_component reservoir_type = {.size = sizeof(openmi_component),
                                                .type = "LinearReservoir",
                                                .id = "linear-reservoir",
                                                .description = "a linear reservoir in C",
                                                .flags = OPENMI_THREAD_SAFE,
                                                .state_version = 1,
                                                .create = Create,
                                                .start = Start,
                                                .step = Step,
                                                .destroy = Destroy,
                                                .save = Save,
                                                .load = Load,
                                                .balance = Balance};

static const openmi_component* const types[] = {&reservoir_type, NULL};
static const openmi_component_library library = {.size = sizeof(openmi_component_library), .types = types};

const openmi_component_library* openmi_c_component_1(void) {
  return &library;
}
