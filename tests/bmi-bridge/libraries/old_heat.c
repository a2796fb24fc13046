/* The plate of the example in the style before BMI 2: get_var and set_var, update by a length of time. */
#include "examples/bmi-heat/heat_c.c"

static Bmi model;

int initialize(const char* config) {
  memset(&model, 0, sizeof model);
  register_bmi_heat(&model);
  return model.initialize(&model, config);
}
int update(double length) { return model.update_until(&model, Of(&model)->time + length); }
int finalize(void) { return model.finalize(&model); }
void get_var_count(int* count) { *count = 2; }
void get_var_name(int index, char* name) { strcpy(name, index == 0 ? TEMPERATURE : EDGE); }
void get_var_type(const char* name, char* type) { strcpy(type, name[0] != '\0' ? "double" : ""); }
void get_var_rank(const char* name, int* rank) { *rank = IsPlate(name) ? 2 : 0; }
void get_var_shape(const char* name, int* shape) {
  if (IsPlate(name)) model.get_grid_shape(&model, 0, shape);
}
void get_var(const char* name, void** to) { model.get_value_ptr(&model, name, to); }
void set_var(const char* name, const void* from) { model.set_value(&model, name, (void*)from); }
void get_start_time(double* time) { model.get_start_time(&model, time); }
void get_end_time(double* time) { model.get_end_time(&model, time); }
void get_current_time(double* time) { model.get_current_time(&model, time); }
void get_time_step(double* step) { model.get_time_step(&model, step); }
