/* A component in C on several ranks, with a solver in Fortran: the share of each cell in the sum of all. */
#include <stdlib.h>

#include "openmi/c/openmi_component.h"

void ranked_sum(int communicator, double mine, double* total);

enum { CELLS = 6 };

typedef struct {
  int communicator, count, in, out;
} Shares;

static int Create(openmi_instance* me) {
  me->data = calloc(1, sizeof(Shares));
  return me->data != NULL ? 0 : openmi_fail(me, "expected memory, found none");
}

static int Initialize(openmi_instance* me) {
  static const char* const kIds[CELLS] = {"1", "2", "3", "4", "5", "6"};
  Shares* shares = me->data;
  const char* mine[CELLS];
  int rank = 0;
  const int ranks = me->host->communicator(me, &shares->communicator, &rank);
  if (ranks == 0) return openmi_fail(me, "expected ranks, found none");
  shares->count = 0;
  for (int i = rank; i < CELLS; i += ranks) mine[shares->count++] = kIds[i];
  const openmi_elements cells = {.size = sizeof cells, .count = (size_t)shares->count, .ids = mine};
  openmi_item item = {.size = sizeof item, .id = "in", .flags = OPENMI_HAS_VALUE, .value = 2.0};
  item.elements = me->host->add_elements(me, &cells);
  shares->in = me->host->add_input(me, &item);
  item.id = "out";
  item.flags = OPENMI_OVER_STEP;
  shares->out = me->host->add_output(me, &item);
  return 0;
}

static int Step(openmi_instance* me, const openmi_times* times) {
  const Shares* shares = me->data;
  const double* in = me->host->input_row(me, shares->in, NULL);
  double* out = me->host->output_row(me, shares->out, NULL);
  double mine = 0.0, total = 0.0;
  (void)times;
  for (int i = 0; i < shares->count; ++i) mine += in[i];
  ranked_sum(shares->communicator, mine, &total);
  for (int i = 0; i < shares->count; ++i) out[i] = in[i] / total;
  return 0;
}

static void Destroy(openmi_instance* me) {
  free(me->data);
}

static const openmi_component shares_type = {.size = sizeof(openmi_component),
                                             .type = "test.Shares",
                                             .flags = OPENMI_USES_COMMUNICATOR,
                                             .create = Create,
                                             .initialize = Initialize,
                                             .step = Step,
                                             .destroy = Destroy};
static const openmi_component serial_type = {.size = sizeof(openmi_component),
                                             .type = "test.Serial",
                                             .create = Create,
                                             .initialize = Initialize,
                                             .step = Step,
                                             .destroy = Destroy};
static const openmi_component* const types[] = {&shares_type, &serial_type, NULL};
static const openmi_component_library library = {.size = sizeof(openmi_component_library), .types = types};

const openmi_component_library* openmi_c_component_1(void) {
  return &library;
}
