/* The C interface from C: a run, its values, its family, and every misuse that must not crash. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "composition/embed/openmi_c.h"

#define EXPECT(condition)                                                                       \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      char text[1000];                                                                          \
      openmi_last_error(text, sizeof text);                                                     \
      fprintf(stderr, "%s:%d: %s is false; last error: %s\n", __FILE__, __LINE__, #condition, text); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

static int rows_heard = 0;
static double last_heard = 0.0;

static void hear(void* user, double mjd, double duration, const double* values, size_t count) {
  EXPECT(user == &rows_heard && duration == 0.0 && count == 3 && mjd >= 57357.0);
  ++rows_heard;
  last_heard = values[2];
}

static int last_error_has(const char* words) {
  char text[2000];
  openmi_last_error(text, sizeof text);
  if (strstr(text, words) != NULL) return 1;
  fprintf(stderr, "expected '%s' in: %s\n", words, text);
  return 0;
}

/* Every function with this for a handle: -1, with words. */
static void misuse(openmi_run* run, const char* words) {
  char text[10];
  double number = 0.0;
  openmi_family_status status;
  size_t size = 0;
  int state = 0;
  EXPECT(openmi_set_variable(run, "a", "b") == -1 && last_error_has(words));
  EXPECT(openmi_set_argument(run, "a", "b", "c") == -1);
  EXPECT(openmi_set_results(run, NULL, 0) == -1);
  EXPECT(openmi_load(run) == -1 && openmi_problem_count(run) == -1);
  EXPECT(openmi_problem(run, 0, text, sizeof text) == -1 && openmi_problem_severity(run, 0) == -1);
  EXPECT(openmi_begin(run) == -1 && openmi_step(run) == -1 && openmi_step_until(run, 57358.0) == -1);
  EXPECT(openmi_now(run, &number) == -1 && openmi_end(run) == -1);
  EXPECT(openmi_component_count(run) == -1 && openmi_component_id(run, 0, text, sizeof text) == -1);
  EXPECT(openmi_find_component(run, "a") == -1 && openmi_item_size(run, "a.out") == -1);
  EXPECT(openmi_item_unit(run, "a.out", text, sizeof text) == -1);
  EXPECT(openmi_read(run, "a.out", &number, 1) == -1 && openmi_write(run, "b.take", &number, 1) == -1);
  EXPECT(openmi_free(run, "b.take") == -1 && openmi_observe(run, "a.out", hear, NULL) == -1);
  EXPECT(openmi_disengage_family(run, 0) == -1 && openmi_engage_family(run, 0) == -1);
  EXPECT(openmi_family_state(run, 0, &status) == -1 && last_error_has(words));
  EXPECT(openmi_supply_input(run, "a.take", OPENMI_PREVIOUS) == -1 && last_error_has(words));
  EXPECT(openmi_supply(run, "a.take", 57357.0, 0.0, &number, 1) == -1 && last_error_has(words));
  EXPECT(openmi_find_item(run, "a.out") == -1 && openmi_read_item(run, 0, &number, 1, &number, &number) == -1);
  EXPECT(openmi_keep_state(run, &state) == -1 && openmi_restore_state(run, 1) == -1);
  EXPECT(openmi_drop_state(run, 1) == -1 && openmi_state_size(run, 1, &size) == -1);
  EXPECT(openmi_state_bytes(run, 1, text, sizeof text) == -1);
  EXPECT(openmi_state_from_bytes(run, text, sizeof text, &state) == -1 && last_error_has(words));
}

/* An observer that calls the run that calls it: each call is refused, and the run goes on. */
static void call_back(void* user, double mjd, double duration, const double* values, size_t count) {
  openmi_run* const run = *(openmi_run**)user;
  EXPECT(mjd >= 57357.0 && duration == 0.0 && values != NULL && count == 3);
  misuse(run, "from within an observer");
  EXPECT(openmi_close(run) == -1 && last_error_has("from within an observer"));
  *(openmi_run**)user = NULL;
}

static void reenter(const char* path) {
  openmi_run* run = openmi_open(path);
  openmi_run* handed = run;
  EXPECT(openmi_load(run) == 0 && openmi_observe(run, "b.out", call_back, &handed) == 0);
  while (handed != NULL) {
    if (openmi_begin(run) == -1) EXPECT(openmi_step(run) == 1);
  }
  handed = run;
  EXPECT(openmi_close(run) == 0);
}

/* Runs of one composition that asks for checkpoints, side by side, and nothing is to be written. */
static void write_nothing(const char* path) {
  openmi_run* one = openmi_open(path);
  openmi_run* other = openmi_open(path);
  FILE* lock;
  EXPECT(openmi_load(one) == 0 && openmi_load(other) == 0);
  EXPECT(openmi_begin(one) == 0 && openmi_begin(other) == 0);
  EXPECT(openmi_step(one) == 1 && openmi_step(other) == 1);
  lock = fopen("results/.kept.lock", "r");
  EXPECT(lock == NULL);
  EXPECT(openmi_close(one) == 0 && openmi_close(other) == 0);
}

/* A program that goes to another folder during a run: results are written where they were asked for. */
static void move_away(const char* path) {
  char here[1000];
  FILE* file;
  openmi_run* run = openmi_open(path);
  EXPECT(getcwd(here, sizeof here) != NULL);
  EXPECT(openmi_set_results(run, "moved", 1) == 0 && openmi_load(run) == 0 && openmi_begin(run) == 0);
  EXPECT(chdir("/") == 0);
  while (openmi_step(run) == 1) {
  }
  EXPECT(openmi_end(run) == 0 && openmi_close(run) == 0);
  EXPECT(chdir(here) == 0);
  file = fopen("moved/chain.nc", "r");
  EXPECT(file != NULL && fclose(file) == 0);
  file = fopen("moved/chain.html", "r");
  EXPECT(file != NULL && fclose(file) == 0);
}

/* A run of which one input is fed from here, as the master of an exported unit does it: values in, a step, values out;
 * and back to a state that was kept. */
static void feed(const char* path) {
  openmi_run* run = openmi_open(path);
  openmi_run* other;
  char words[10] = "";
  void* bytes;
  double given[3] = {1.0, 2.0, 3.0};
  double values[3];
  double first[3];
  double now = 0.0;
  double mjd = 0.0;
  double duration = 1.0;
  size_t size = 0;
  int state = 0;
  int same = 0;
  int out;
  int hour;
  EXPECT(openmi_supply_input(run, NULL, OPENMI_PREVIOUS) == -1 && openmi_supply_input(run, "a", OPENMI_LINEAR) == -1);
  EXPECT(openmi_supply_input(run, "a.take", 7) == -1 && last_error_has("OPENMI_LINEAR"));
  EXPECT(openmi_supply_input(run, "b.take", OPENMI_PREVIOUS) == 0);
  EXPECT(openmi_load(run) == -1 && last_error_has("linked already") && openmi_close(run) == 0);

  run = openmi_open(path);
  EXPECT(openmi_supply_input(run, "a.take", OPENMI_PREVIOUS) == 0);
  EXPECT(openmi_supply(run, "a.take", 57357.0, 0.0, given, 3) == -1 && last_error_has("openmi_load"));
  EXPECT(openmi_load(run) == 0 && openmi_supply_input(run, "a.take", OPENMI_PREVIOUS) == -1);
  EXPECT(openmi_supply(run, NULL, 57357.0, 0.0, given, 3) == -1);
  EXPECT(openmi_supply(run, "a.take", 57357.0, 0.0, NULL, 3) == -1);
  EXPECT(openmi_supply(run, "b.take", 57357.0, 0.0, given, 3) == -1 && last_error_has("found 'b.take'"));
  EXPECT(openmi_supply(run, "a.take", 57357.0, 0.0, given, 2) == -1 && last_error_has("expected 3 values, found 2"));
  EXPECT(openmi_supply(run, "a.take", 57357.0, -1.0, given, 3) == -1 && last_error_has("expected a finite time"));
  EXPECT(openmi_find_item(run, "a.nothing") == -1 && openmi_find_item(run, NULL) == -1);
  out = openmi_find_item(run, "a.out");
  EXPECT(out >= 0 && openmi_find_item(run, "a.out") == out);
  EXPECT(openmi_read_item(run, out, values, 3, &mjd, &duration) == -1 && last_error_has("begin the run first"));
  EXPECT(openmi_keep_state(run, &state) == -1);
  EXPECT(openmi_supply(run, "a.take", 57357.0, 0.0, given, 3) == 0 && openmi_begin(run) == 0);
  EXPECT(openmi_read_item(run, out, values, 3, NULL, NULL) == 0 && values[0] == 0.25);
  EXPECT(openmi_read_item(run, out, values, 2, NULL, NULL) == -1 && openmi_read_item(run, out, NULL, 3, NULL, NULL) == -1);
  EXPECT(openmi_read_item(run, 9, values, 3, NULL, NULL) == -1 && openmi_read_item(run, -1, values, 3, NULL, NULL) == -1);
  for (hour = 1; hour <= 6; ++hour) {
    EXPECT(openmi_supply(run, "a.take", 57357.0 + (hour - 1) / 24.0, 0.0, given, 3) == 0);
    EXPECT(openmi_step_until(run, 57357.0 + hour / 24.0) == 1);
    EXPECT(openmi_read_item(run, out, values, 3, &mjd, &duration) == 0);
    EXPECT(fabs(mjd - 57357.0 - hour / 24.0) < 1e-9 && duration == 0.0);
    given[0] = 2.0 * values[1];
    if (hour == 1) EXPECT(values[2] == 0.25 * 0.875 + sin(3.0 + 2.0));
  }

  EXPECT(openmi_keep_state(run, NULL) == -1 && openmi_keep_state(run, &state) == 0);
  EXPECT(openmi_state_size(run, state, NULL) == -1 && openmi_state_size(run, 77, &size) == -1);
  EXPECT(openmi_state_size(run, state, &size) == 0 && size > 100);
  bytes = malloc(size);
  EXPECT(openmi_state_bytes(run, state, NULL, size) == -1 && openmi_state_bytes(run, state, bytes, size - 1) == -1);
  EXPECT(openmi_state_bytes(run, state, bytes, size) == 0);
  EXPECT(openmi_step(run) == 1 && openmi_read_item(run, out, first, 3, NULL, NULL) == 0);
  while (openmi_step(run) == 1) {
  }
  EXPECT(openmi_restore_state(run, state + 1) == -1 && last_error_has("kept state"));
  EXPECT(openmi_restore_state(run, state) == 0 && openmi_now(run, &now) == 0 && fabs(now - 57357.25) < 1e-9);
  EXPECT(openmi_step(run) == 1 && openmi_read_item(run, out, values, 3, NULL, NULL) == 0);
  EXPECT(memcmp(values, first, sizeof values) == 0);

  other = openmi_open(path);
  EXPECT(openmi_supply_input(other, "a.take", OPENMI_PREVIOUS) == 0 && openmi_load(other) == 0);
  EXPECT(openmi_supply(other, "a.take", 57357.0, 0.0, given, 3) == 0 && openmi_begin(other) == 0);
  EXPECT(openmi_state_from_bytes(other, NULL, size, &same) == -1 && openmi_state_from_bytes(other, bytes, size, NULL) == -1);
  EXPECT(openmi_state_from_bytes(other, words, sizeof words, &same) == -1);
  EXPECT(openmi_state_from_bytes(other, bytes, size - 3, &same) == -1 && last_error_has("cut short"));
  EXPECT(openmi_state_from_bytes(other, bytes, size, &same) == 0 && openmi_restore_state(other, same) == 0);
  out = openmi_find_item(other, "a.out");
  EXPECT(openmi_step(other) == 1 && openmi_read_item(other, out, values, 3, NULL, NULL) == 0);
  EXPECT(memcmp(values, first, sizeof values) == 0);
  free(bytes);
  EXPECT(openmi_drop_state(run, state) == 0 && openmi_drop_state(run, state) == -1);
  EXPECT(openmi_restore_state(run, state) == -1);
  EXPECT(openmi_end(run) == 0 && openmi_keep_state(run, &state) == -1);
  EXPECT(openmi_close(run) == 0 && openmi_close(other) == 0);
}

int main(int argc, char** argv) {
  char text[200];
  char small[5];
  double values[3];
  double plain[3];
  double now = 0.0;
  double fixed = 2.5;
  int passes = 0;
  openmi_family_status status;
  openmi_run* run;
  openmi_run* again;
  EXPECT(argc == 3);
  EXPECT(strcmp(openmi_version(), "0.2.0") == 0);

  EXPECT(openmi_open(NULL) == NULL && last_error_has("null pointer"));
  EXPECT(openmi_open("/nowhere/at/all.xml") == NULL && last_error_has("/nowhere/at/all.xml"));
  misuse(NULL, "null pointer");
  misuse((openmi_run*)&passes, "a handle that is not open");
  misuse((openmi_run*)(size_t)0xdeadbeef, "a handle that is not open");
  EXPECT(openmi_close(NULL) == 0 && openmi_close((openmi_run*)&passes) == -1);

  run = openmi_open(argv[1]);
  EXPECT(run != NULL);
  EXPECT(openmi_step(run) == -1 && last_error_has("openmi_load"));
  EXPECT(openmi_set_argument(run, "nobody", "k", "v") == -1 && last_error_has("nobody"));
  EXPECT(openmi_set_argument(run, "a", "elements", "three") == 0);
  EXPECT(openmi_load(run) == -1 && last_error_has("elements") && openmi_problem_count(run) > 0);
  EXPECT(openmi_begin(run) == -1 && last_error_has("errors"));
  EXPECT(openmi_close(run) == 0);
  EXPECT(openmi_close(run) == -1);
  misuse(run, "a handle that is not open");

  run = openmi_open(argv[1]);
  EXPECT(openmi_load(run) == 0);
  EXPECT(openmi_set_variable(run, "x", "y") == -1 && last_error_has("before openmi_load"));
  EXPECT(openmi_component_count(run) == 2 && openmi_find_component(run, "b") == 1);
  EXPECT(openmi_component_id(run, 1, small, sizeof small) == 1 && strcmp(small, "b") == 0);
  EXPECT(openmi_component_id(run, 2, text, sizeof text) == -1 && openmi_component_id(run, -1, text, sizeof text) == -1);
  EXPECT(openmi_item_size(run, "b.take") == 3 && openmi_item_size(run, "b.nothing") == -1);
  EXPECT(openmi_item_unit(run, "a.out", text, sizeof text) == 2 && strcmp(text, "kg") == 0);
  EXPECT(openmi_observe(run, "b.out", hear, &rows_heard) == 0);
  EXPECT(openmi_read(run, "a.out", values, 3) == -1);
  EXPECT(openmi_begin(run) == 0 && openmi_begin(run) == -1);
  EXPECT(openmi_now(run, &now) == 0 && now == 57357.0);
  EXPECT(openmi_step_until(run, 57357.25) == 1 && openmi_now(run, &now) == 0 && fabs(now - 57357.25) < 1e-9);
  EXPECT(openmi_read(run, "b.out", values, 3) == 0 && values[2] == last_heard && rows_heard == 7);
  EXPECT(openmi_read(run, "b.out", values, 2) == -1 && last_error_has("expected a place for 3 values, found one for 2"));
  EXPECT(openmi_write(run, "b.take", &fixed, 1) == 0 && openmi_step(run) == 1);
  EXPECT(openmi_read(run, "b.take", values, 3) == 0 && values[0] == 2.5 && values[2] == 2.5);
  EXPECT(openmi_free(run, "b.take") == 0 && openmi_free(run, "b.take") == -1);

  /* The wish. */
  EXPECT(openmi_family_state(run, 0, &status) == 0 && status == OPENMI_FAMILY_ENGAGED);
  EXPECT(openmi_family_state(run, 0, NULL) == -1 && openmi_family_state(run, 9, &status) == -1);
  EXPECT(openmi_engage_family(run, 0) == 0);
  EXPECT(openmi_read(run, "b.out", plain, 3) == 0);
  EXPECT(openmi_disengage_family(run, 0) == 0 && openmi_disengage_family(run, 1) == 0);
  EXPECT(openmi_family_state(run, 1, &status) == 0 && status == OPENMI_FAMILY_DISENGAGED);
  EXPECT(openmi_read(run, "b.out", values, 3) == 0 && memcmp(values, plain, sizeof values) == 0);
  EXPECT(openmi_engage_family(run, 1) == 0);
  EXPECT(openmi_family_state(run, 0, &status) == 0 && status == OPENMI_FAMILY_ENGAGED);
  EXPECT(openmi_disengage_family(run, 9) == -1 && openmi_engage_family(run, -1) == -1);

  while ((passes = openmi_step(run)) == 1) {
  }
  EXPECT(passes == 0 && openmi_step(run) == 0);
  EXPECT(openmi_end(run) == 0 && openmi_end(run) == -1 && openmi_step(run) == -1);
  EXPECT(openmi_problem_count(run) >= 0 && openmi_problem(run, 99, text, sizeof text) == -1);

  /* Two at once, and one that is closed while it runs. */
  again = openmi_open(argv[1]);
  EXPECT(openmi_load(again) == 0 && openmi_begin(again) == 0 && openmi_step(again) == 1);
  EXPECT(openmi_close(run) == 0 && openmi_step(again) == 1 && openmi_close(again) == 0);
  feed(argv[1]);
  reenter(argv[1]);
  write_nothing(argv[2]);
  move_away(argv[1]);
  puts("ok");
  return 0;
}
