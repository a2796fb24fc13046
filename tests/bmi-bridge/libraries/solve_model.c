/* A pond with an implicit solver, without a handle, and with the functions of XMI: dh/dt = q - c (h - neighbour).
 *
 * Each iteration of the solver goes half of the way to the solution of the step. Its configuration file is a number:
 * the iteration that fails; 0: none. Outputs: the level, the iterations, and the time steps that were completed. */
#include <bmi.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double now, step, before, level, neighbour, solves, steps;
static int fails;
static int is_prepared;

static const double kInflow = 1e-3, kConductance = 1e-3, kStep = 60.0;

int initialize(const char* config) {
  FILE* const file = fopen(config, "r");
  now = before = level = neighbour = solves = steps = 0.0;
  is_prepared = fails = 0;
  if (file != NULL) {
    if (fscanf(file, "%d", &fails) != 1) fails = 0;
    fclose(file);
  }
  return BMI_SUCCESS;
}
int finalize(void) {
  return BMI_SUCCESS;
}

int prepare_time_step(double* length) {
  if (is_prepared) return BMI_FAILURE; /* a step is prepared once */
  is_prepared = 1;
  step = *length;
  before = level;
  return BMI_SUCCESS;
}
int get_subcomponent_count(int* count) {
  *count = 1;
  return BMI_SUCCESS;
}
int prepare_solve(int* part) {
  return *part == 1 && is_prepared ? BMI_SUCCESS : BMI_FAILURE;
}
int solve(int* part, int* has_converged) {
  solves += 1.0;
  if (*part != 1 || !is_prepared || (int)solves == fails) return BMI_FAILURE;
  const double solution = (before + step * (kInflow + kConductance * neighbour)) / (1.0 + step * kConductance);
  const double change = 0.5 * (solution - level);
  level += change;
  *has_converged = fabs(change) < 1e-12;
  return BMI_SUCCESS;
}
int finalize_solve(int* part) {
  return *part == 1 ? BMI_SUCCESS : BMI_FAILURE;
}
int finalize_time_step(void) {
  if (!is_prepared) return BMI_FAILURE;
  is_prepared = 0;
  now += step;
  steps += 1.0;
  return BMI_SUCCESS;
}
int update(void) {
  double length = kStep;
  int part = 1, has_converged = 0;
  if (prepare_time_step(&length) != BMI_SUCCESS || prepare_solve(&part) != BMI_SUCCESS) return BMI_FAILURE;
  for (int i = 0; i < 1000 && !has_converged; ++i) {
    if (solve(&part, &has_converged) != BMI_SUCCESS) return BMI_FAILURE;
  }
  return finalize_solve(&part) == BMI_SUCCESS ? finalize_time_step() : BMI_FAILURE;
}

int get_component_name(char* name) {
  strcpy(name, "solving pond");
  return BMI_SUCCESS;
}
int get_input_item_count(int* count) {
  *count = 1;
  return BMI_SUCCESS;
}
int get_output_item_count(int* count) {
  *count = 3;
  return BMI_SUCCESS;
}
int get_input_var_names(char** names) {
  strcpy(names[0], "neighbour");
  return BMI_SUCCESS;
}
int get_output_var_names(char** names) {
  strcpy(names[0], "level");
  strcpy(names[1], "solves");
  strcpy(names[2], "steps");
  return BMI_SUCCESS;
}
static double* Number(const char* name) {
  if (strcmp(name, "neighbour") == 0) return &neighbour;
  if (strcmp(name, "level") == 0) return &level;
  if (strcmp(name, "solves") == 0) return &solves;
  return strcmp(name, "steps") == 0 ? &steps : NULL;
}
int get_var_grid(const char* name, int* grid) {
  *grid = 0;
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int get_var_type(const char* name, char* type) {
  strcpy(type, "double");
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int get_var_units(const char* name, char* units) {
  strcpy(units, "1");
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int get_var_itemsize(const char* name, int* bytes) {
  *bytes = 8;
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int get_var_nbytes(const char* name, int* bytes) {
  return get_var_itemsize(name, bytes);
}
int get_var_location(const char* name, char* location) {
  strcpy(location, "none");
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int get_current_time(double* time) {
  *time = now;
  return BMI_SUCCESS;
}
int get_start_time(double* time) {
  *time = 0.0;
  return BMI_SUCCESS;
}
int get_end_time(double* time) {
  *time = 1e30;
  return BMI_SUCCESS;
}
int get_time_units(char* units) {
  strcpy(units, "s");
  return BMI_SUCCESS;
}
int get_time_step(double* length) {
  *length = kStep;
  return BMI_SUCCESS;
}
int get_value(const char* name, void* to) {
  if (Number(name) == NULL) return BMI_FAILURE;
  memcpy(to, Number(name), sizeof(double));
  return BMI_SUCCESS;
}
int get_value_ptr(const char* name, void** to) {
  *to = Number(name);
  return Number(name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
int set_value(const char* name, void* from) {
  if (strcmp(name, "neighbour") != 0) return BMI_FAILURE;
  memcpy(&neighbour, from, sizeof(double));
  return BMI_SUCCESS;
}
int get_grid_rank(int grid, int* rank) {
  *rank = grid;
  return BMI_SUCCESS;
}
int get_grid_size(int grid, int* size) {
  *size = grid + 1;
  return BMI_SUCCESS;
}
int get_grid_type(int grid, char* type) {
  (void)grid;
  strcpy(type, "scalar");
  return BMI_SUCCESS;
}
