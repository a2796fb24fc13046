#ifndef OPENMI_C_H
#define OPENMI_C_H

/*
 * The runtime for C, Fortran and whoever calls C.
 *
 * A run is opened from a composition file, loaded, begun, stepped and ended:
 *
 *   openmi_run* run = openmi_open("upper-creek.xml");
 *   if (run == NULL || openmi_load(run) != 0) fail();
 *   openmi_begin(run);
 *   while (openmi_step(run) == 1) use(openmi_read(run, "creek.discharge", values, n));
 *   openmi_end(run);
 *   openmi_close(run);
 *
 * Unless said otherwise a function returns 0 on success and -1 on error; openmi_last_error then says what was expected,
 * what was found and what to do. Handles are checked: null, a closed handle, or any other pointer is an error and no
 * crash. Texts are UTF-8 and end with a zero. Times are Modified Julian Day, UTC, in days. A handle may be used by
 * several threads; their calls wait for each other. No function throws.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A composition with its run. */
typedef struct openmi_run openmi_run;

/* How much a problem matters: openmi_problem_severity. */
typedef enum { OPENMI_NOTE = 0, OPENMI_WARNING = 1, OPENMI_ERROR = 2 } openmi_severity;

/* Whether a family takes part in the run. A family is all components that stand on the same code. */
typedef enum { OPENMI_FAMILY_DISENGAGED = 0, OPENMI_FAMILY_ENGAGED = 1 } openmi_family_status;

/* The version of the runtime, as "0.1.0". */
const char* openmi_version(void);

/* The last error of this thread, empty if there was none. Copies at most size - 1 bytes and a zero into buffer, which may
 * be null. Returns the length of the whole text. */
size_t openmi_last_error(char* buffer, size_t size);

/* Reads a composition file. Null on error; problems that leave something to load are reported by openmi_load. */
openmi_run* openmi_open(const char* path);
/* Ends the run if it was not ended, and gives everything back. Null is no error. */
int openmi_close(openmi_run* run);

/* Before openmi_load: what stands for ${name} in the composition. */
int openmi_set_variable(openmi_run* run, const char* name, const char* value);
/* An argument of a component. Before openmi_load: in place of the composition's. Later: one that may change while it
 * runs, or of a component whose family is disengaged. */
int openmi_set_argument(openmi_run* run, const char* component, const char* key, const char* value);
/* Before openmi_begin: where results and report go; null: nowhere, which is the default. */
int openmi_set_results(openmi_run* run, const char* folder, int overwrite);

/* Loads, links and checks. -1 if there is an error among the problems; openmi_problem tells all of them. */
int openmi_load(openmi_run* run);
/* How many problems there are now, of the check and of the run; -1 on error. */
int openmi_problem_count(openmi_run* run);
/* The text of problem number 0, 1, ...: copied as by openmi_last_error. Returns its length, or -1. */
int openmi_problem(openmi_run* run, int number, char* buffer, size_t size);
/* An openmi_severity, or -1. */
int openmi_problem_severity(openmi_run* run, int number);

/* Prepares the components and opens the results. */
int openmi_begin(openmi_run* run);
/* Makes one pass. 1: there is more to do; 0: the run is over; -1: a component failed, and the run is over. */
int openmi_step(openmi_run* run);
/* Steps until the run has reached a time. Returns as openmi_step. */
int openmi_step_until(openmi_run* run, double mjd);
/* How far the run is. */
int openmi_now(openmi_run* run, double* mjd);
/* Completes results and report, and finishes the components. */
int openmi_end(openmi_run* run);

/* The components, numbered as in the composition; after openmi_load. -1 on error. */
int openmi_component_count(openmi_run* run);
int openmi_component_id(openmi_run* run, int component, char* buffer, size_t size);
int openmi_find_component(openmi_run* run, const char* id);

/* Items are named "component.item". The number of values in a row of an item, or -1. */
int openmi_item_size(openmi_run* run, const char* item);
/* The unit of an item: copied as by openmi_last_error. Returns its length, or -1. */
int openmi_item_unit(openmi_run* run, const char* item, char* buffer, size_t size);
/* The last values of an output, or what was last delivered to an input. Missing values are NaN.
 * count has to be openmi_item_size. */
int openmi_read(openmi_run* run, const char* item, double* values, size_t count);
/* Sets a fixed row in place of what the links deliver: to an input, or to all that take from an output. Holds until
 * openmi_free. In the item's own unit (for an output: before adaptors, for an input: after them). */
int openmi_write(openmi_run* run, const char* item, const double* values, size_t count);
int openmi_free(openmi_run* run, const char* item);

/* Told of each row of an output, in order, from within openmi_begin and openmi_step. mjd: the end of the row; duration:
 * 0 for an instant. Not to call functions of the run. */
typedef void (*openmi_observer)(void* user, double mjd, double duration, const double* values, size_t count);
/* Before openmi_begin. */
int openmi_observe(openmi_run* run, const char* item, openmi_observer observer, void* user);

/* Takes all instances of the code that this component stands on out of the run: their last values stay, the library is
 * unloaded, and may be replaced. Nothing happens if they are out already. */
int openmi_disengage_family(openmi_run* run, int component);
/* Loads the code again and takes the instances back in, at the present time. Nothing happens if they are in. If the new
 * code cannot be loaded or started they stay out, and -1 is returned; the run goes on. */
int openmi_engage_family(openmi_run* run, int component);
int openmi_family_state(openmi_run* run, int component, openmi_family_status* status);

#ifdef __cplusplus
}
#endif

#endif
