/* The plate of the example as MODFLOW 6 offers its models: no handle, no configuration argument, numbers by pointer, lists
 * of names in one block, and names that are addresses. It reads plate.cfg in the working directory. */
#include "examples/bmi-heat/heat_c.c"

int BMI_LENVARADDRESS = 41;

static Bmi model;
static char last_error[200];

static const char* Plain(const char* address) {
  const char* const slash = strrchr(address, '/');
  return slash != NULL ? slash + 1 : address;
}

int initialize(void) {
  memset(&model, 0, sizeof model);
  register_bmi_heat(&model);
  return model.initialize(&model, "plate.cfg");
}
int update(void) { return model.update(&model); }
int finalize(void) { return model.finalize(&model); }
int get_component_name(char* name) { return model.get_component_name(&model, name); }
int get_input_item_count(int* count) { return model.get_input_item_count(&model, count); }
int get_output_item_count(int* count) { return model.get_output_item_count(&model, count); }
int get_input_var_names(char* names) {
  strcpy(names, "PLATE/" EDGE);
  return 0;
}
int get_output_var_names(char* names) {
  strcpy(names, "PLATE/" TEMPERATURE);
  return 0;
}
int get_current_time(double* time) { return model.get_current_time(&model, time); }
int get_start_time(double* time) { return model.get_start_time(&model, time); }
int get_end_time(double* time) { return model.get_end_time(&model, time); }
int get_time_step(double* step) { return model.get_time_step(&model, step); }
int get_var_grid(const char* name, int* grid) { return model.get_var_grid(&model, Plain(name), grid); }
int get_var_itemsize(const char* name, int* bytes) { return model.get_var_itemsize(&model, Plain(name), bytes); }
int get_var_nbytes(const char* name, int* bytes) { return model.get_var_nbytes(&model, Plain(name), bytes); }
int get_var_type(const char* name, char* type) {
  strcpy(type, IsPlate(Plain(name)) ? "DOUBLE (200)" : "DOUBLE");
  return 0;
}
int get_grid_rank(const int* grid, int* rank) { return model.get_grid_rank(&model, *grid, rank); }
int get_grid_size(const int* grid, int* size) { return model.get_grid_size(&model, *grid, size); }
int get_grid_type(const int* grid, char* type) { return model.get_grid_type(&model, *grid, type); }
int get_grid_shape(const int* grid, int* shape) { return model.get_grid_shape(&model, *grid, shape); }
/* The grid is rectilinear by its type, and its coordinates are told by axis. */
int get_grid_x(const int* grid, double* x) {
  (void)grid;
  for (int i = 0; i < Of(&model)->columns; ++i) x[i] = i;
  return 0;
}
int get_value_ptr_double(const char* name, void** to) {
  sprintf(last_error, "no variable %.100s", name);
  return model.get_value_ptr(&model, Plain(name), to);
}
int set_value_double(const char* name, void** from) { return model.set_value(&model, Plain(name), *from); }
int get_last_bmi_error(char* text) {
  strcpy(text, last_error);
  return 0;
}
