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

FORWARD0(update)
FORWARD0(finalize)
FORWARD1(update_until, double)
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
FORWARD2(get_value, const char*, void*)
FORWARD2(get_value_ptr, const char*, void**)
FORWARD2(set_value, const char*, void*)
FORWARD2(get_grid_rank, int, int*)
FORWARD2(get_grid_size, int, int*)
FORWARD2(get_grid_type, int, char*)
FORWARD2(get_grid_shape, int, int*)
FORWARD2(get_grid_spacing, int, double*)
FORWARD2(get_grid_origin, int, double*)
