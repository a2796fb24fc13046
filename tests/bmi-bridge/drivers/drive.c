/* Drives a BMI library as a program in C does: drive <library> <config> <steps>.
 *
 * Prints the variables, then time and values after each step; numbers in hexadecimal. Half way the state is kept; at
 * the end a second model is set to it and has to give the same lines again. */
#include <bmi.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 16 };
static char names[2][kMost][BMI_MAX_VAR_NAME];
static int counts[2];

static void Must(int status, const char* what) {
  if (status == BMI_SUCCESS) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}

static void Describe(Bmi* model) {
  char text[BMI_MAX_UNITS_NAME], *places[kMost];
  Must(model->get_component_name(model, text), "get_component_name");
  printf("name %s\n", text);
  Must(model->get_input_item_count(model, &counts[0]), "get_input_item_count");
  Must(model->get_output_item_count(model, &counts[1]), "get_output_item_count");
  for (int use = 0; use < 2; ++use) {
    for (int i = 0; i < kMost; ++i) places[i] = names[use][i];
    Must((use == 0 ? model->get_input_var_names : model->get_output_var_names)(model, places), "names");
    for (int i = 0; i < counts[use]; ++i) {
      int grid = -1, nbytes = 0, size = 0;
      char units[BMI_MAX_UNITS_NAME], location[BMI_MAX_UNITS_NAME];
      Must(model->get_var_units(model, names[use][i], units), "get_var_units");
      Must(model->get_var_nbytes(model, names[use][i], &nbytes), "get_var_nbytes");
      Must(model->get_var_grid(model, names[use][i], &grid), "get_var_grid");
      Must(model->get_var_location(model, names[use][i], location), "get_var_location");
      Must(model->get_grid_type(model, grid, text), "get_grid_type");
      Must(model->get_grid_size(model, grid, &size), "get_grid_size");
      printf("%s %s [%s] %d bytes, %s of %d, %s\n", use == 0 ? "in" : "out", names[use][i], units, nbytes, text, size,
             location);
    }
  }
}

static void Step(Bmi* model, int step, char* lines) {
  double time, values[kMost];
  for (int i = 0; i < counts[0]; ++i) {
    double input = 0.25 * (step % 7 + i);
    Must(model->set_value(model, names[0][i], &input), "set_value");
  }
  Must(model->update(model), "update");
  Must(model->get_current_time(model, &time), "get_current_time");
  lines += sprintf(lines, "%a", time);
  for (int i = 0; i < counts[1]; ++i) {
    void* pointer = NULL;
    Must(model->get_value(model, names[1][i], values), "get_value");
    Must(model->get_value_ptr(model, names[1][i], &pointer), "get_value_ptr");
    if (memcmp(pointer, values, sizeof(double)) != 0) Must(BMI_FAILURE, "get_value_ptr shows the values");
    lines += sprintf(lines, " %a", values[0]);
  }
  sprintf(lines, "\n");
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  Bmi* (*const fill)(Bmi*) = (Bmi * (*)(Bmi*)) dlsym(library, "register_bmi");
  Bmi first, second;
  if (fill == NULL || fill(&first) != &first || fill(&second) != &second) return 1;
  double time;
  if (first.get_current_time(&first, &time) != BMI_FAILURE) return 1; /* not before initialize */
  Must(first.initialize(&first, argv[2]), "initialize");
  Describe(&first);
  const int steps = atoi(argv[3]), half = steps / 2;
  char* const after = calloc((size_t)steps, 1024);
  char *state = NULL, line[1024];
  int size = 0, trigger = 0;
  for (int step = 0; step < steps; ++step) {
    if (step == half) {
      Must(first.set_value(&first, "ngen::serialization_create", &trigger), "create");
      Must(first.get_value(&first, "ngen::serialization_size", &size), "size");
      state = malloc((size_t)size);
      Must(first.get_value(&first, "ngen::serialization_state", state), "state");
      Must(first.set_value(&first, "ngen::serialization_free", &trigger), "free");
    }
    Step(&first, step, line);
    printf("%s", line);
    if (step >= half) strcat(after, line);
  }
  Must(second.initialize(&second, argv[2]), "initialize the second");
  Must(second.set_value(&second, "ngen::serialization_state", state), "set the state");
  char* const again = calloc((size_t)steps, 1024);
  for (int step = half; step < steps; ++step) {
    Step(&second, step, line);
    strcat(again, line);
  }
  printf("%s\n", strcmp(after, again) == 0 ? "the second model continues" : "the second model differs");
  if (first.set_value(&first, names[1][0], &time) != BMI_FAILURE) return 1;
  if (first.get_value(&first, "nothing", &time) != BMI_FAILURE) return 1;
  if (first.update_until(&first, -1.0) != BMI_FAILURE) return 1;
  Must(first.finalize(&first), "finalize");
  Must(second.finalize(&second), "finalize the second");
  free(after);
  free(again);
  free(state);
  return 0;
}
