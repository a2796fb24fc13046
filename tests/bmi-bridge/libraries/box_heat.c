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
FORWARD1(get_component_name, char*)
FORWARD1(get_input_item_count, int*)
FORWARD1(get_output_item_count, int*)
FORWARD1(get_input_var_names, char**)
FORWARD1(get_output_var_names, char**)
FORWARD1(get_current_time, double*)
FORWARD1(get_start_time, double*)
FORWARD1(get_end_time, double*)
FORWARD1(get_time_units, char*)
FORWARD1(get_time_step, double*)
FORWARD2(get_var_grid, const char*, int*)
FORWARD2(get_var_type, const char*, char*)
FORWARD2(get_var_units, const char*, char*)
FORWARD2(get_var_itemsize, const char*, int*)
FORWARD2(get_var_nbytes, const char*, int*)
FORWARD2(get_var_location, const char*, char*)
GRID(get_grid_rank, int*)
GRID(get_grid_size, int*)
GRID(get_grid_type, char*)
GRID(get_grid_shape, int*)
GRID(get_grid_spacing, double*)
GRID(get_grid_origin, double*)
int get_value_double(void** handle, const char* name, double* to) { return MODEL->get_value(MODEL, name, to); }
int set_value_double(void** handle, const char* name, double* from) { return MODEL->set_value(MODEL, name, from); }
