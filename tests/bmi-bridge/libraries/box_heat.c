/* The plate of the example as models of Fortran are handed over by the layer of NextGen: register_bmi makes a handle, and
 * every function takes the handle's address; numbers by pointer, values by type. */
#include "examples/bmi-heat/heat_c.c"

int register_bmi(void** handle) {
  Bmi* const model = calloc(1, sizeof(Bmi));
  register_bmi_heat(model);
  *handle = model;
  return 0;
}
#define MODEL ((Bmi*)*handle)
#define FORWARD1(name, A) \
  int name(void** handle, A a) { return MODEL->name(MODEL, a); }
#define FORWARD2(name, A, B) \
  int name(void** handle, A a, B b) { return MODEL->name(MODEL, a, b); }
#define GRID(name, B) \
  int name(void** handle, const int* grid, B b) { return MODEL->name(MODEL, *grid, b); }

int update(void** handle) { return MODEL->update(MODEL); }
int update_until(void** handle, const double* time) { return MODEL->update_until(MODEL, *time); }
int finalize(void** handle) {
  const int status = MODEL->finalize(MODEL);
  free(*handle);
  *handle = NULL;
  return status;
}
FORWARD1(initialize, const char*)
#include "forward_heat.h"
int get_value_double(void** handle, const char* name, double* to) { return MODEL->get_value(MODEL, name, to); }
int set_value_double(void** handle, const char* name, double* from) { return MODEL->set_value(MODEL, name, from); }
