/* The plate of the example without a handle: functions that are exported one by one, and one model behind them. */
#include "examples/bmi-heat/heat_c.c"

static Bmi model;

int initialize(const char* config) {
  memset(&model, 0, sizeof model);
  register_bmi_heat(&model);
  return model.initialize(&model, config);
}
#define FORWARD0(name) \
  int name(void) { return model.name(&model); }
#define FORWARD1(name, A) \
  int name(A a) { return model.name(&model, a); }
#define FORWARD2(name, A, B) \
  int name(A a, B b) { return model.name(&model, a, b); }
#define GRID(name, B) FORWARD2(name, int, B)

FORWARD0(update)
FORWARD0(finalize)
FORWARD1(update_until, double)
#include "forward_heat.h"
FORWARD2(get_value, const char*, void*)
FORWARD2(get_value_ptr, const char*, void**)
FORWARD2(set_value, const char*, void*)
