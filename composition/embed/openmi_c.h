#ifndef OPENMI_C_H
#define OPENMI_C_H

/**
 * \file
 * The runtime for C, for Fortran, and for languages that call C functions.
 *
 * A run is opened from a composition file, loaded, started, stepped and ended:
 *
 * \code{.c}
 *  openmi_run* run = openmi_open("upper-creek.xml");
 *  if (run == NULL || openmi_load(run) != 0) fail();
 *  openmi_begin(run);
 *  while (openmi_step(run) == 1) use(openmi_read(run, "creek.discharge", values, n));
 *  openmi_end(run);
 *  openmi_close(run);
 * \endcode
 *
 * Unless stated otherwise, a function returns 0 on success and -1 on error; openmi_last_error then gives what was
 * expected, what was found and what to do. Handles are checked: null, a closed handle, or any other pointer is an error
 * and does not crash. Texts are UTF-8 and end with a zero. Times are Modified Julian Day, UTC, and durations are in
 * days. Several threads may use a handle; their calls wait for each other. No function throws.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A composition with its run. */
typedef struct openmi_run openmi_run;

/** The severity of a problem; see openmi_problem_severity. */
typedef enum { OPENMI_NOTE = 0, OPENMI_WARNING = 1, OPENMI_ERROR = 2 } openmi_severity;

/** Whether a family takes part in the run. A family is all components of the same code. */
typedef enum { OPENMI_FAMILY_DISENGAGED = 0, OPENMI_FAMILY_ENGAGED = 1 } openmi_family_status;

/**
 * What holds between the times for which values are supplied: the value before, which also holds after the last time,
 * or the straight line between two values.
 */
typedef enum { OPENMI_PREVIOUS = 0, OPENMI_LINEAR = 1 } openmi_between;

/** The version of the runtime, as "0.2.0". */
const char* openmi_version(void);

/**
 * The last error of this thread; empty if there was none.
 *
 * Copies at most size - 1 bytes and a zero into `buffer`, which may be null. Returns the length of the whole text.
 */
size_t openmi_last_error(char* buffer, size_t size);

/** Reads a composition file. Returns null on error. openmi_load reports problems that do not prevent loading. */
openmi_run* openmi_open(const char* path);
/** Ends the run if it was not ended, and releases everything. Null is no error. */
int openmi_close(openmi_run* run);

/** Sets the value of `${name}` in the composition. To be called before openmi_load. */
int openmi_set_variable(openmi_run* run, const char* name, const char* value);
/**
 * Sets an argument of a component.
 *
 * Before openmi_load, the value replaces that of the composition. Afterwards, the argument has to be one that may
 * change while the component runs, or the component's family has to be disengaged.
 */
int openmi_set_argument(openmi_run* run, const char* component, const char* key, const char* value);
/**
 * Sets the folder for results and report; null: none are written, which is the default. To be called before
 * openmi_load.
 * \param overwrite  not 0: earlier results in the folder are replaced
 */
int openmi_set_results(openmi_run* run, const char* folder, int overwrite);

/**
 * States that this program supplies the values of the input "component.item", which no link feeds; see openmi_supply.
 * To be called before openmi_load, which checks whether this is possible.
 * \param between  one of openmi_between
 */
int openmi_supply_input(openmi_run* run, const char* item, int between);

/** Loads, links and checks. Returns -1 if there is an error among the problems; openmi_problem gives all of them. */
int openmi_load(openmi_run* run);
/** The number of problems so far, of the check and of the run; -1 on error. */
int openmi_problem_count(openmi_run* run);
/** The text of problem number 0, 1, ...: copied as by openmi_last_error. Returns its length, or -1. */
int openmi_problem(openmi_run* run, int number, char* buffer, size_t size);
/** An openmi_severity, or -1. */
int openmi_problem_severity(openmi_run* run, int number);

/** Prepares the components and opens the results. */
int openmi_begin(openmi_run* run);
/**
 * Makes one pass. Returns 1 if there is more to do, 0 if the run is over, and -1 if a component failed and the run is
 * over.
 */
int openmi_step(openmi_run* run);
/** Steps until the run has reached the time `mjd`. Returns as openmi_step. */
int openmi_step_until(openmi_run* run, double mjd);
/** Stores in `mjd` how far the run is. */
int openmi_now(openmi_run* run, double* mjd);
/** Completes results and report, and finishes the components. */
int openmi_end(openmi_run* run);

/**
 * The number of components, which are numbered from 0 as in the composition; -1 on error. To be called after
 * openmi_load.
 */
int openmi_component_count(openmi_run* run);
/** The id of a component: copied as by openmi_last_error. Returns its length, or -1. */
int openmi_component_id(openmi_run* run, int component, char* buffer, size_t size);
/** The number of the component with that id, or -1. */
int openmi_find_component(openmi_run* run, const char* id);

/** The number of values in a row of an item, or -1. Items are named "component.item". */
int openmi_item_size(openmi_run* run, const char* item);
/** The unit of an item: copied as by openmi_last_error. Returns its length, or -1. */
int openmi_item_unit(openmi_run* run, const char* item, char* buffer, size_t size);
/**
 * Reads the last values of an output, or what was last delivered to an input. Missing values are NaN.
 * \param count  has to be openmi_item_size
 */
int openmi_read(openmi_run* run, const char* item, double* values, size_t count);
/**
 * Sets a fixed row that replaces what the links deliver: to an input, or to all inputs that take from an output.
 *
 * The row is in force until openmi_free. It is in the item's own unit (of an output: before the adaptors; of an input:
 * after them).
 */
int openmi_write(openmi_run* run, const char* item, const double* values, size_t count);
/** Makes the links deliver their own values again. -1 if openmi_write was not called for the item. */
int openmi_free(openmi_run* run, const char* item);

/**
 * Supplies a row to an input for which openmi_supply_input was called, in its unit.
 *
 * Each row is later than those before; a row that ends when the last one ends replaces it. The component gets the value
 * that holds at the time it asks for; for a span, the mean of the values that hold there. To be called after
 * openmi_load, between two steps; the first time before openmi_begin. Allocates nothing once a few rows were supplied.
 * \param mjd       the time of the row, or the start of its duration
 * \param duration  0: an instant
 */
int openmi_supply(openmi_run* run, const char* item, double mjd, double duration, const double* values, size_t count);

/**
 * Looks up an output for repeated reading. Returns a number for openmi_read_item, or -1. To be called after
 * openmi_load.
 */
int openmi_find_item(openmi_run* run, const char* item);
/**
 * Reads the newest row of an output, without a search.
 * \param count     has to be openmi_item_size
 * \param mjd       receives the start of the row, NaN if the output has no times; may be null
 * \param duration  receives the duration of the row, 0 for an instant, NaN if the output has no times; may be null
 */
int openmi_read_item(openmi_run* run, int item, double* values, size_t count, double* mjd, double* duration);

/**
 * Keeps the state of the whole run in memory, and stores its number in `state`. To be called between openmi_begin and
 * openmi_end. Returns -1 if a component does not keep its state.
 */
int openmi_keep_state(openmi_run* run, int* state);
/**
 * Goes back to a kept state, any number of times; a run that was over continues. Not possible if results are written.
 */
int openmi_restore_state(openmi_run* run, int state);
/** Deletes a kept state. Its number becomes invalid. */
int openmi_drop_state(openmi_run* run, int state);
/** Stores in `size` the number of bytes of a kept state, as another run of the same composition can read it. */
int openmi_state_size(openmi_run* run, int state, size_t* size);
/**
 * Copies a kept state as bytes into `bytes`.
 * \param size  has to be what openmi_state_size gave
 */
int openmi_state_bytes(openmi_run* run, int state, void* bytes, size_t size);
/** Keeps a state that is given as bytes. Returns -1 if they were changed, or belong to another composition. */
int openmi_state_from_bytes(openmi_run* run, const void* bytes, size_t size, int* state);

/**
 * Receives each row of an output, in order, from within openmi_begin, openmi_step and openmi_step_until. Functions of
 * the same run that it calls return -1 and do nothing.
 * \param mjd       the end of the row
 * \param duration  0 for an instant
 */
typedef void (*openmi_observer)(void* user, double mjd, double duration, const double* values, size_t count);
/**
 * Registers an observer of an output. To be called after openmi_load and before openmi_begin.
 * \param user  passed to the observer
 */
int openmi_observe(openmi_run* run, const char* item, openmi_observer observer, void* user);

/**
 * Takes all components of the family of this component out of the run: their last values stay, and the library is
 * unloaded and may be replaced. Does nothing if they are out already.
 */
int openmi_disengage_family(openmi_run* run, int component);
/**
 * Loads the code again and puts the components back, at the present time. Does nothing if they are in.
 *
 * If the new code cannot be loaded or started, the components stay out and -1 is returned; the run continues.
 */
int openmi_engage_family(openmi_run* run, int component);
/** Stores in `status` whether the family of a component takes part in the run. */
int openmi_family_state(openmi_run* run, int component, openmi_family_status* status);

#ifdef __cplusplus
}
#endif

#endif
