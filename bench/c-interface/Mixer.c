/* Mixes its input into what it has, one value or a row of them. */
#include <stdlib.h>

#include "openmi/c/openmi_component.h"

typedef struct {
  int count, shows; /* arguments */
  int in, out;
  int read, written; /* outputs: the addresses of the rows, as numbers */
  double* memory;    /* null: it writes where the engine keeps the row */
} Mixer;

static int Create(openmi_instance* me) {
  Mixer* mixer = me->data = calloc(1, sizeof *mixer);
  if (mixer == NULL) return openmi_fail(me, "expected memory, found none");
  const openmi_argument count = {.size = sizeof count, .id = "count", .type = OPENMI_INTEGER, .value = "1"};
  const openmi_argument shows = {.size = sizeof shows, .id = "shows", .type = OPENMI_BOOLEAN, .value = "false"};
  mixer->count = me->host->add_argument(me, &count);
  mixer->shows = me->host->add_argument(me, &shows);
  return 0;
}

static int Initialize(openmi_instance* me) {
  Mixer* mixer = me->data;
  const size_t count = (size_t)me->host->integer(me, mixer->count);
  openmi_elements elements = {.size = sizeof elements, .count = count};
  openmi_item item = {.size = sizeof item, .id = "in", .flags = OPENMI_HAS_VALUE, .value = 1.0};
  if (count > 1) item.elements = me->host->add_elements(me, &elements);
  mixer->in = me->host->add_input(me, &item);
  item.id = "out";
  mixer->out = me->host->add_output(me, &item);
  const openmi_item read = {.size = sizeof read, .id = "read"};
  const openmi_item written = {.size = sizeof written, .id = "written"};
  if (count > 1) mixer->read = me->host->add_output(me, &read);
  if (count > 1) mixer->written = me->host->add_output(me, &written);
  if (me->host->integer(me, mixer->shows) != 0) mixer->memory = calloc(count, sizeof(double));
  return 0;
}

static int Step(openmi_instance* me, const openmi_times* times) {
  Mixer* mixer = me->data;
  (void)times;
  size_t count = 0;
  const double* const in = me->host->input_row(me, mixer->in, &count);
  if (count == 1) {
    openmi_put(me, mixer->out, 0.9 * openmi_last(me, mixer->out) + 0.1 * in[0]);
    return 0;
  }
  double* const out = mixer->memory != NULL ? mixer->memory : me->host->output_row(me, mixer->out, NULL);
  if (in == NULL || out == NULL) return -1;
  for (size_t i = 0; i < count; ++i) out[i] = 0.5 + 0.1 * in[i];
  openmi_put(me, mixer->read, (double)(uintptr_t)in);
  openmi_put(me, mixer->written, (double)(uintptr_t)out);
  return mixer->memory != NULL ? me->host->show_row(me, mixer->out, out, count) : 0;
}

static int Finish(openmi_instance* me) {
  Mixer* mixer = me->data;
  free(mixer->memory);
  mixer->memory = NULL;
  return 0;
}

static void Destroy(openmi_instance* me) {
  free(me->data);
}

static const openmi_component mixer_type = {.size = sizeof(openmi_component),
                                            .type = "Mixer",
                                            .time_step = "PT1S",
                                            .flags = OPENMI_THREAD_SAFE,
                                            .create = Create,
                                            .initialize = Initialize,
                                            .step = Step,
                                            .finish = Finish,
                                            .destroy = Destroy};
static const openmi_component* const types[] = {&mixer_type, NULL};
static const openmi_component_library library = {.size = sizeof library, .types = types};

const openmi_component_library* openmi_c_component_1(void) {
  return &library;
}
