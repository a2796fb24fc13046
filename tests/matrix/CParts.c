/* Components in C for the matrix: a pond as in Parts.cpp, and a relay of texts that holds the last one. Both keep
 * states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "openmi/c/openmi_component.h"

typedef struct {
  int in, back, out, gaps;
  double kept[2]; /* storage, missing inflows */
} Pond;

static int MakePond(openmi_instance* me) {
  Pond* pond = me->data = calloc(1, sizeof *pond);
  if (pond == NULL) return openmi_fail(me, "expected memory, found none");
  openmi_item item = {.size = sizeof item, .id = "in", .flags = OPENMI_HAS_VALUE, .value = 0.5};
  pond->in = me->host->add_input(me, &item);
  item.id = "back";
  item.value = 0.0;
  pond->back = me->host->add_input(me, &item);
  item.id = "out";
  pond->out = me->host->add_output(me, &item);
  item.id = "gaps";
  pond->gaps = me->host->add_output(me, &item);
  return 0;
}

static int ShowPond(openmi_instance* me) {
  const Pond* pond = me->data;
  openmi_put(me, pond->out, pond->kept[0]);
  openmi_put(me, pond->gaps, pond->kept[1]);
  return 0;
}

static int StartPond(openmi_instance* me, double begin) {
  Pond* pond = me->data;
  (void)begin;
  pond->kept[0] = 1.0;
  pond->kept[1] = 0.0;
  return ShowPond(me);
}

static double Known(Pond* pond, double value) {
  if (isfinite(value)) return value;
  ++pond->kept[1];
  return 0.0;
}

static int StepPond(openmi_instance* me, const openmi_times* times) {
  Pond* pond = me->data;
  (void)times;
  const double in = Known(pond, openmi_get(me, pond->in));
  const double back = Known(pond, openmi_get(me, pond->back));
  pond->kept[0] += 0.125 * (sin(in) - 0.25 * pond->kept[0] - 0.125 * back);
  return ShowPond(me);
}

static int SavePond(openmi_instance* me) {
  const Pond* pond = me->data;
  return me->host->write_state(me, pond->kept, sizeof pond->kept);
}

static int LoadPond(openmi_instance* me, const void* bytes, size_t size) {
  Pond* pond = me->data;
  if (size != sizeof pond->kept) return openmi_fail(me, "expected a state of 16 bytes, found %zu", size);
  memcpy(pond->kept, bytes, size);
  return 0;
}

typedef struct {
  int in, out;
  char last[64];
} Relay;

static int MakeRelay(openmi_instance* me) {
  Relay* relay = me->data = calloc(1, sizeof *relay);
  if (relay == NULL) return openmi_fail(me, "expected memory, found none");
  const openmi_item in = {.size = sizeof in, .id = "heard", .type = OPENMI_TEXT};
  const openmi_item out = {.size = sizeof out, .id = "said", .type = OPENMI_TEXT};
  relay->in = me->host->add_input(me, &in);
  relay->out = me->host->add_output(me, &out);
  return 0;
}

static int StartRelay(openmi_instance* me, double begin) {
  Relay* relay = me->data;
  (void)begin;
  strcpy(relay->last, "silence");
  return me->host->set_bytes(me, relay->out, 0, relay->last, strlen(relay->last));
}

static int StepRelay(openmi_instance* me, const openmi_times* times) {
  Relay* relay = me->data;
  (void)times;
  size_t size = 0;
  const char* const heard = me->host->input_bytes(me, relay->in, 0, &size);
  if (heard != NULL && size < sizeof relay->last) memcpy(relay->last, heard, size + 1);
  return me->host->set_bytes(me, relay->out, 0, relay->last, strlen(relay->last));
}

static int SaveRelay(openmi_instance* me) {
  const Relay* relay = me->data;
  return me->host->write_state(me, relay->last, sizeof relay->last);
}

static int LoadRelay(openmi_instance* me, const void* bytes, size_t size) {
  Relay* relay = me->data;
  if (size != sizeof relay->last) return openmi_fail(me, "expected a state of 64 bytes, found %zu", size);
  memcpy(relay->last, bytes, size);
  return 0;
}

static void Destroy(openmi_instance* me) {
  free(me->data);
}

static const openmi_component pond_type = {.size = sizeof(openmi_component),
                                           .type = "matrix.CPond",
                                           .id = "pond",
                                           .time_step = "PT1M",
                                           .flags = OPENMI_THREAD_SAFE,
                                           .create = MakePond,
                                           .start = StartPond,
                                           .step = StepPond,
                                           .destroy = Destroy,
                                           .save = SavePond,
                                           .load = LoadPond};
static const openmi_component relay_type = {.size = sizeof(openmi_component),
                                            .type = "matrix.CRelay",
                                            .id = "relay",
                                            .time_step = "PT1M",
                                            .create = MakeRelay,
                                            .start = StartRelay,
                                            .step = StepRelay,
                                            .destroy = Destroy,
                                            .save = SaveRelay,
                                            .load = LoadRelay};
static const openmi_component* const types[] = {&pond_type, &relay_type, NULL};
static const openmi_component_library library = {.size = sizeof library, .types = types};

const openmi_component_library* openmi_c_component_1(void) {
  return &library;
}
