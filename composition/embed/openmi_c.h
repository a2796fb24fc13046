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

/* What holds between the times for which values are supplied: the value before (beyond the last one, too), or the
 * straight line between two. */
typedef enum { OPENMI_PREVIOUS = 0, OPENMI_LINEAR = 1 } openmi_between;

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

/* Before openmi_load: this program feeds the input "component.item", which no link feeds; see openmi_supply. Whether it
 * can is found out by openmi_load. between: one of openmi_between. */
int openmi_supply_input(openmi_run* run, const char* item, int between);

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

/* A row for an input that openmi_supply_input was called for, in its unit: at the time mjd, or over the duration that
 * begins there. Each is later than those before; one that ends when the last one does takes its place. The component
 * gets the value that holds at the time it asks for; over a span, the mean of those that hold there. After openmi_load,
 * between two steps; the first one before openmi_begin. Allocates nothing once a few rows were supplied. */
int openmi_supply(openmi_run* run, const char* item, double mjd, double duration, const double* values, size_t count);

/* An output, to be read again and again: a number for openmi_read_item, or -1. After openmi_load. */
int openmi_find_item(openmi_run* run, const char* item);
/* The newest row of an output, without a search. mjd and duration: its time, not a number where the output has no times;
 * may be null. count has to be openmi_item_size. */
int openmi_read_item(openmi_run* run, int item, double* values, size_t count, double* mjd, double* duration);

/* Keeps the state of the whole run in memory, under a number: between openmi_begin and openmi_end. -1 if a component
 * does not keep its state. */
int openmi_keep_state(openmi_run* run, int* state);
/* Goes back to a kept state, as often as wanted; a run that was over goes on. Not where results are written. */
int openmi_restore_state(openmi_run* run, int state);
int openmi_drop_state(openmi_run* run, int state);
/* A kept state as bytes, for another run of the same composition; size has to be what openmi_state_size said. */
int openmi_state_size(openmi_run* run, int state, size_t* size);
int openmi_state_bytes(openmi_run* run, int state, void* bytes, size_t size);
/* Keeps a state that came as bytes. -1 if they were changed, or are of another composition. */
int openmi_state_from_bytes(openmi_run* run, const void* bytes, size_t size, int* state);

/* Told of each row of an output, in order, from within openmi_begin and openmi_step. mjd: the end of the row; duration:
 * 0 for an instant. Functions of that run, called from within, return -1 and do nothing. */
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
