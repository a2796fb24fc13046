#ifndef OPENMI_COMPONENT_H
#define OPENMI_COMPONENT_H

/**
 * \file
 * Components in C, and in languages that call C functions.
 *
 * A library exports openmi_c_component_1, which returns the types of components that it can make. Each type is a table
 * of functions (openmi_component). The host gives each component an openmi_instance with a table of its own functions
 * (openmi_host). Nothing here depends on a compiler, on a standard library or on the release of the SDK, so a library
 * that was built with others can be loaded.
 *
 * Rules:
 * - Functions that return int return 0 on success. A component that fails calls openmi_fail, or openmi_host.fail,
 * first.
 * - Declared things (arguments, element sets, inputs, outputs) have numbers above 0. 0 means none.
 * - A call of a host function that the rules do not allow changes nothing and returns -1, 0, NAN or null, and
 *   openmi_host.last_error says why. The call of the component in which this happened then fails with that sentence, so
 *   a component need not check every result. Memory is the exception: check a pointer before you use it.
 * - Host functions are called from within a call of the component, on the thread of that call. The engine calls a
 *   component from one thread at a time, not always the same.
 * - No exception and no longjmp may leave a function of the component.
 * - Texts are UTF-8 and end with a zero. The host copies what it is given, except the table of a type, which stays in
 *   place while the library is loaded. Texts of the host are valid until the call of the component ends.
 * - Times are Modified Julian Day, UTC, and durations are in days. A missing number is NAN.
 * - Each struct begins with its size, which whoever fills it sets: `{.size = sizeof(openmi_item), ...}`. Members of
 *   later releases follow at the end. Members that are zero have the meaning "none" or "the default".
 */

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface, which is part of the name of the entry point. */
#define OPENMI_C_COMPONENT_VERSION 1

/** The types of arguments and items. */
typedef enum {
  OPENMI_NUMBER = 0,  /**< double */
  OPENMI_INTEGER = 1, /**< whole numbers; in rows of items they are doubles, exact up to 2^53 */
  OPENMI_BOOLEAN = 2, /**< of items: whole numbers, 0 and 1 */
  OPENMI_TEXT = 3,
  OPENMI_BYTES = 4 /**< items only */
} openmi_type;

/** What the value of an argument means. Whoever is offered the component by others may set plain arguments only. */
typedef enum {
  OPENMI_UNSTATED = 0, /**< of a text: it could name anything; of a number: plain */
  OPENMI_PLAIN = 1,    /**< refers to nothing outside the component */
  OPENMI_PATH = 2,     /**< a file or folder */
  OPENMI_LIBRARY = 3,  /**< code to load */
  OPENMI_HOST = 4,     /**< another machine */
  OPENMI_ENVIRONMENT_VARIABLE = 5,
  OPENMI_SECRET = 6 /**< never shown or written */
} openmi_meaning;

/** The kinds of elements. */
typedef enum { OPENMI_IDS = 0, OPENMI_POINTS = 1, OPENMI_LINES = 2, OPENMI_POLYGONS = 3 } openmi_shape;

/** Flags of a component, for openmi_component.flags and openmi_host.set_flag. */
enum {
  OPENMI_THREAD_SAFE = 1,       /**< several instances may be called at once, each by its own thread */
  OPENMI_WHOLE_STEPS = 2,       /**< steps cannot be shortened; the last one may end after the run */
  OPENMI_RESTARTABLE = 4,       /**< after finish, initialize may be called again */
  OPENMI_WRITES_FILES = 8,      /**< it has the argument results-folder; see openmi_host.written_path */
  OPENMI_USES_COMMUNICATOR = 16 /**< several processes can compute it together; see openmi_host.communicator */
};

/** Flags of arguments and items. */
enum {
  OPENMI_OPTIONAL = 1,       /**< argument: may have no value; input: needs no link */
  OPENMI_READ_ONLY = 2,      /**< argument: shown, not set by users */
  OPENMI_TUNABLE = 4,        /**< argument: may change between two steps */
  OPENMI_HAS_VALUE = 8,      /**< item: openmi_item.value counts */
  OPENMI_OVER_STEP = 16,     /**< item: holds over a step (a mean, an amount), not at its end */
  OPENMI_UNSET_AT_START = 32 /**< output: is missing before the first step */
};

/** An argument. Values are texts, as in an OMI file; null: none. */
typedef struct {
  size_t size;
  const char* id;
  const char* caption;
  const char* description;
  int type;                   /**< openmi_type */
  int meaning;                /**< openmi_meaning */
  int flags;                  /**< OPENMI_OPTIONAL, OPENMI_READ_ONLY, OPENMI_TUNABLE */
  const char* unit;           /**< of numbers */
  const char* value;          /**< the default */
  const char* minimum;        /**< of numbers */
  const char* maximum;        /**< of numbers */
  const char* const* choices; /**< the texts that are allowed, ended by null; null: all */
} openmi_argument;

/**
 * A set of elements.
 *
 * Points have one vertex each. The vertices of lines are counted by `vertices`, one number an element. Those of
 * polygons are counted ring by ring: `rings` says how many rings an element has (null: one each), `vertices` how many
 * vertices a ring has, `holes` which rings are holes (null: none). A ring that is no hole starts a part of its element.
 */
typedef struct {
  size_t size;
  const char* caption;
  int shape;                    /**< openmi_shape */
  size_t count;                 /**< elements */
  const char* const* ids;       /**< [count]; null: the numbers from 1 on */
  const char* reference_system; /**< "WGS84", "local-metres", "EPSG:32632", well-known text; null: local-metres */
  size_t vertex_count;          /**< the length of x, y and z */
  const double* x;
  const double* y;
  const double* z;       /**< null: none */
  size_t vertices_count; /**< the length of `vertices`, and of `holes` */
  const size_t* vertices;
  const size_t* rings;        /**< [count] */
  const unsigned char* holes; /**< not 0: a hole */
} openmi_elements;

/** An input or an output. */
typedef struct {
  size_t size;
  const char* id;
  const char* caption;
  const char* description;
  int type;         /**< openmi_type */
  int flags;        /**< OPENMI_OPTIONAL, OPENMI_HAS_VALUE, OPENMI_OVER_STEP, OPENMI_UNSET_AT_START */
  const char* unit; /**< of numbers, as "m3 s-1"; null: 1 */
  int elements;     /**< number of an element set; 0: a single value without a place */
  double value;     /**< of an input without a link; of an output before the first step, where it is 0 without */
  const char* const* categories; /**< of texts: all that occur, ended by null; null: any */
  const char* message_type;      /**< of bytes, as "osi3::SensorView"; may be null */
} openmi_item;

/** A step. Seconds are counted from the start of the run and exact to a nanosecond; stamps to a microsecond. */
typedef struct {
  size_t size;
  double from; /**< MJD */
  double to;   /**< MJD */
  double from_seconds;
  double to_seconds;
} openmi_times;

/** What a component holds, and what passed through it since its start, all in one unit. */
typedef struct {
  size_t size;
  double storage;
  double in;
  double out;
  double losses;
  const char* unit; /**< null: m3 */
  double area;      /**< m2; 0: none */
} openmi_balance;

/** A sentence for users, with its place as far as it is known. */
typedef struct {
  size_t size;
  const char* message; /**< "expected ..., found ..." */
  const char* remedy;  /**< what the user can do; may be null */
  const char* item;    /**< id of an item or argument; may be null */
  const char* file;    /**< may be null */
  int line;            /**< 0: unknown */
} openmi_report;

typedef struct openmi_host openmi_host;
typedef struct openmi_component openmi_component;
typedef struct openmi_adaptor openmi_adaptor;

/** One component or one adaptor, made by the host. Further members belong to the host; do not copy it. */
typedef struct {
  const openmi_host* host;
  const openmi_component* type;  /**< null: of an adaptor */
  void* data;                    /**< the component's or the adaptor's own */
  const openmi_adaptor* adaptor; /**< its type; null: of a component */
} openmi_instance;

/** What an adaptor makes of the values that it adapts. */
typedef struct {
  size_t size;
  /** Of the values that map gets. Set it to the unit of those that map makes, if that is another. */
  const char* unit;
  size_t count; /**< of elements; it stays */
} openmi_adapted;

/**
 * A type of adaptors, which may stand on the links from the outputs of the components that offer it
 * (openmi_component.adaptors). An adaptor makes one row of numbers from one row, for the same elements and time.
 *
 * It may call the host functions for arguments, `name`, `last_error` and `fail`. The rules for components hold: where
 * they name `create` and `initialize`, those of the adaptor count as well. Functions that may be null are marked so.
 */
struct openmi_adaptor {
  size_t size;
  const char* id;          /**< the name in compositions */
  const char* caption;     /**< may be null */
  const char* description; /**< may be null */
  /** May be null. Makes `data` and declares arguments. */
  int (*create)(openmi_instance* me);
  /** May be null. Reads arguments, and sets the unit if it changes. May be called again with other arguments. */
  int (*initialize)(openmi_instance* me, openmi_adapted* adapted);
  /**
   * Makes a row. The same row and duration have to give the same result: what an adaptor remembers is in no state.
   * \param in        where the engine keeps it; NAN: missing
   * \param duration  the length in days of the time that the row is for; 0: an instant
   * \param out       to be filled: it holds anything
   * \param count     of both rows
   */
  int (*map)(openmi_instance* me, const double* in, double duration, double* out, size_t count);
  /** May be null. Releases `data`. Called once, and last, also if create failed. */
  void (*destroy)(openmi_instance* me);
};

/** A type of components. Functions that may be null are marked so. */
struct openmi_component {
  size_t size;
  const char* type;        /**< the name in OMI files */
  const char* id;          /**< of the component, as messages name it; null: the type */
  const char* description; /**< may be null */
  const char* time_step;   /**< the default of the argument time-step, as "PT1H", which is the default */
  int flags;
  int state_version; /**< increased when the bytes of save change; states of another version are refused */

  /** Makes `data` and declares arguments; also items, if they depend on no argument. */
  int (*create)(openmi_instance* me);
  /** May be null. Reads arguments, and declares items that depend on them. */
  int (*initialize)(openmi_instance* me);
  /** May be null. Reports what is wrong (fail) or odd (warn) when links are there. */
  int (*validate)(openmi_instance* me);
  /** May be null. Makes the solver ready, and sets the first values of outputs that hold at instants. */
  int (*start)(openmi_instance* me, double begin);
  /** Computes one step: reads the rows of the inputs, writes those of the outputs. A row not written is repeated. */
  int (*step)(openmi_instance* me, const openmi_times* times);
  /** May be null. Ends the run. Called also after a failure, once for each successful or failed initialize. */
  int (*finish)(openmi_instance* me);
  /** May be null. Releases `data`. Called once, and last, also if create failed. */
  void (*destroy)(openmi_instance* me);
  /**
   * May be null. Stores the end of the step that begins at `now`. Before, `end` holds the one that the argument
   * time-step gives.
   */
  int (*next)(openmi_instance* me, double now, double* end);
  /** May be null. Writes what the solver keeps between steps, with openmi_host.write_state. Changes nothing. */
  int (*save)(openmi_instance* me);
  /** Null if save is. Reads what save wrote. Bytes may come from a damaged file. If it fails, nothing has changed. */
  int (*load)(openmi_instance* me, const void* bytes, size_t size);
  /** May be null. Called from the end of start on. */
  int (*balance)(openmi_instance* me, openmi_balance* balance);

  /** Types of adaptors for the links from the outputs, ended by null; null: none. */
  const openmi_adaptor* const* adaptors;
};

/** The functions of the host. In brackets: the functions of the component from which they may be called. */
struct openmi_host {
  size_t size;
  const char* version; /**< of the SDK, as "0.1.0" */
  /** What was expected and found in the last call on this thread that was refused; empty: none was. [any] */
  const char* (*last_error)(void);

  /** Declares an argument. Returns its number, or -1. [create] */
  int (*add_argument)(openmi_instance* me, const openmi_argument* argument);
  /** Declares a set of elements. Returns its number, or -1. [create, initialize] */
  int (*add_elements)(openmi_instance* me, const openmi_elements* elements);
  /** Gives each element a number, such as its area; NAN: unknown. [create, initialize] */
  int (*set_attribute)(openmi_instance* me, int elements, const char* name, const char* unit, const double* values,
                       size_t count);
  /** Replaces the coordinates of a set; shape, number and ids stay. [start, step, load] */
  int (*move_elements)(openmi_instance* me, int elements, const openmi_elements* moved);
  /** Declares an input. Returns its number, or -1. [create, initialize] */
  int (*add_input)(openmi_instance* me, const openmi_item* item);
  /** Declares an output. Returns its number, or -1. [create, initialize] */
  int (*add_output)(openmi_instance* me, const openmi_item* item);

  /**
   * Sets or clears one of the flags of a component, except OPENMI_WRITES_FILES and OPENMI_USES_COMMUNICATOR.
   * [create, initialize]
   */
  int (*set_flag)(openmi_instance* me, int flag, int is_set);
  /** [create, initialize] */
  int (*set_description)(openmi_instance* me, const char* text);
  /** Components with the same text are exchanged together; without: all of one library. [initialize] */
  int (*set_family)(openmi_instance* me, const char* key);
  /** The length of the steps that follow, in days. [initialize, start, step] */
  int (*set_time_step)(openmi_instance* me, double days);
  /** When the run begins and ends if the user does not say. [initialize] */
  int (*set_default_times)(openmi_instance* me, double begin, double end);
  /** The times for which outputs have values, if not the whole run. [initialize] */
  int (*set_output_times)(openmi_instance* me, double begin, double end);

  /** The value of an argument; NAN: none. A boolean is 0 or 1. [any] */
  double (*number)(openmi_instance* me, int argument);
  /** The value of an integer or boolean argument; 0: none. [any] */
  int64_t (*integer)(openmi_instance* me, int argument);
  /** The value of an argument as text; empty: none. Never null. [any] */
  const char* (*text)(openmi_instance* me, int argument);
  /** Whether the user, or the default, gives the argument a value. [any] */
  int (*has_value)(openmi_instance* me, int argument);
  /**
   * Whether the user sets the argument with this id, so that its value is not the default. The host has declared the
   * arguments start-time, end-time and time-step. [any]
   */
  int (*is_set)(openmi_instance* me, const char* argument);
  /** A path from an argument; relative ones start at the folder of the OMI file. Never null. [all but create] */
  const char* (*path)(openmi_instance* me, const char* path);
  /** The path of a file to write, in the folder of the results. Null on error. [start, step, finish] */
  const char* (*written_path)(openmi_instance* me, const char* name);
  /** The name of this component in messages. Never null. [any] */
  const char* (*name)(openmi_instance* me);
  /** The start of the run; NAN: not known yet. [all but create] */
  double (*run_begin)(openmi_instance* me);
  /** The end of the run; infinite: none. [all but create] */
  double (*run_end)(openmi_instance* me);
  /** Whether the state of an earlier run is loaded right after start, so that files are to be continued. [start] */
  int (*expects_state)(openmi_instance* me);

  /** Whether an input is linked. [validate, start, step] */
  int (*is_linked)(openmi_instance* me, int input);
  /**
   * The row of an input for this step, where its provider keeps it: one number for each element, in the unit of the
   * input. Valid during the call. Null on error. [step]
   * \param count  receives the number of values; may be null
   */
  const double* (*input_row)(openmi_instance* me, int input, size_t* count);
  /**
   * The row of an output to write, where the engine keeps it: write all elements, in the unit of the output. It holds
   * anything before. Valid during the call. Null on error. [start: instants only; step]
   */
  double* (*output_row)(openmi_instance* me, int output, size_t* count);
  /** The last published row of an output. Null on error, and before there is one. [all from start on] */
  const double* (*last_row)(openmi_instance* me, int output, size_t* count);
  /**
   * Gives an output its row in memory of the component. Consumers read it there, without a copy, unless someone may
   * look back at it later. The memory keeps its values until the next call of step, load or finish. [start, step]
   * \param count  has to be the number of elements
   */
  int (*show_row)(openmi_instance* me, int output, const double* values, size_t count);
  /**
   * Publishes the row that was written or shown at a time of its own, later than those before. Rows that are not
   * published are published at the end of the step. [step]
   * \param duration  0: an instant
   */
  int (*publish)(openmi_instance* me, int output, double begin, double duration);
  /** A text or bytes for this step; null: missing. Texts end with a zero. Valid until the next such call. [step] */
  const void* (*input_bytes)(openmi_instance* me, int input, size_t element, size_t* size);
  /** Sets a text or bytes of an output. What is set for no element stays as it was. Null: missing. [start, step] */
  int (*set_bytes)(openmi_instance* me, int output, size_t element, const void* bytes, size_t size);

  /** Adds bytes to the state. [save] */
  int (*write_state)(openmi_instance* me, const void* bytes, size_t size);

  /** Tells users something, once: in validate with the check, later in the summary of the run. Returns 0. [any] */
  int (*warn)(openmi_instance* me, const openmi_report* report);
  /** Says why the present call fails. Returns -1, for `return me->host->fail(me, &report);`. [any but destroy] */
  int (*fail)(openmi_instance* me, const openmi_report* report);

  /**
   * Stores the MPI communicator of this component, as Fortran has it (MPI_Comm_f2c), and the rank of this process.
   * Returns the number of ranks; 0: it computes in one process, without MPI. MPI is initialized, and is finalized by
   * others. Each rank declares items, each with the elements that it owns. Items with the same id are one item, and
   * elements with the same id one element. All ranks are called at the same time. [all but create]
   */
  int (*communicator)(openmi_instance* me, int* handle, int* rank);
};

/** The types of a library, ended by null. */
typedef struct {
  size_t size;
  const openmi_component* const* types;
} openmi_component_library;

/** Takes a reason why a file cannot be used. */
typedef void (*openmi_complain)(void* to, const openmi_report* report);

/**
 * What reads files in another language, such as scripts, and makes types of components of them. A library that does
 * this exports openmi_c_language_1 in place of openmi_c_component_1. Both functions may be called on any thread, by one
 * at a time.
 */
typedef struct {
  size_t size;
  /**
   * The types in a file, or null after a call of `complain`. They stay until `close`, and no component of them outlives
   * them.
   * \param name       the real path of the file; or the name of a module that the language finds itself
   * \param is_module  not 0: the latter
   */
  const openmi_component_library* (*open)(const char* name, int is_module, openmi_complain complain, void* to);
  /** The real paths of all files that were read for these types, the named one first, ended by null. */
  const char* const* (*files)(const openmi_component_library* types);
  /** Forgets the file, so that the next open reads it again. */
  void (*close)(const openmi_component_library* types);
  /** The real paths of the files that the language itself needs beside this library, ended by null. */
  const char* const* (*support)(void);
  /**
   * Makes an object of a class in a file, and fills a struct of functions of another interface with it. 0: done; -1
   * after a call of `complain`.
   * \param interface  "bmi-2.0": the struct Bmi of its C binding; two functions follow it: the text of the last error,
   *   `const char* last_error(Bmi*)`, and `void end(Bmi*)`, which is called last
   * \param type       the name of the class; empty: the only one
   */
  int (*fill)(const char* interface, const char* name, int is_module, const char* type, void* table,
              openmi_complain complain, void* to);
} openmi_language;

#if defined(__GNUC__)
#define OPENMI_C_EXPORT __attribute__((visibility("default")))
#define OPENMI_C_PRINTF __attribute__((format(printf, 2, 3), unused))
#elif defined(_WIN32)
#define OPENMI_C_EXPORT __declspec(dllexport)
#define OPENMI_C_PRINTF
#else
#define OPENMI_C_EXPORT
#define OPENMI_C_PRINTF
#endif

/** The entry point, which the library defines: `OPENMI_C_EXPORT const ... openmi_c_component_1(void) { return &...; }`.
 */
OPENMI_C_EXPORT const openmi_component_library* openmi_c_component_1(void);

/** The entry point of a library that reads files in another language. */
OPENMI_C_EXPORT const openmi_language* openmi_c_language_1(void);

/** The value of an input with a single value; NAN on error. [step] */
static inline double openmi_get(openmi_instance* me, int input) {
  const double* const row = me->host->input_row(me, input, NULL);
  return row != NULL ? row[0] : NAN;
}
/** Sets the value of an output with a single value. [start, step] */
static inline void openmi_put(openmi_instance* me, int output, double value) {
  double* const row = me->host->output_row(me, output, NULL);
  if (row != NULL) row[0] = value;
}
/** The last value of an output with a single value; NAN before there is one. */
static inline double openmi_last(openmi_instance* me, int output) {
  const double* const row = me->host->last_row(me, output, NULL);
  return row != NULL ? row[0] : NAN;
}
/** Fails with a sentence, formatted as by printf: `return openmi_fail(me, "expected ..., found %g", x);`. */
OPENMI_C_PRINTF static inline int openmi_fail(openmi_instance* me, const char* format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  openmi_report report = {sizeof(openmi_report), message, NULL, NULL, NULL, 0};
  return me->host->fail(me, &report);
}

#ifdef __cplusplus
}
#endif

#endif
