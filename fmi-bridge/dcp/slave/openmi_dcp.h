#ifndef OPENMI_DCP_H
#define OPENMI_DCP_H

/*
 * A simulator as a DCP slave, for C and languages that call C: five hooks and the values of its variables.
 *
 *   openmi_dcp_hooks hooks = {.step = my_step};
 *   openmi_dcp_slave* slave = openmi_dcp_open("tank.dcpx", &hooks, my_data, "127.0.0.1", 8080, 8080);
 *   if (slave == NULL) fail();
 *   inflow = openmi_dcp_find(slave, "inflow");
 *   openmi_dcp_run(slave);
 *   openmi_dcp_close(slave);
 *
 * The slave description (.dcpx) defines the variables. Unless stated otherwise, a function returns 0
 * on success and -1 on error; openmi_dcp_last_error then says what was expected, what was found and what to do. Texts
 * are UTF-8. Read and write values in hooks, or while openmi_dcp_run is not running. No function throws.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct openmi_dcp_slave openmi_dcp_slave;

/* The hooks of the simulator. Each returns 0 on success; any other value brings the slave to the error states. A hook
 * that has nothing to do may be a null pointer, except step. Times are seconds since the start. */
typedef struct {
  int (*configure)(void* user);  /* the parameters are set: make the start condition */
  int (*initialize)(void* user); /* the inputs are set: compute outputs that fit them; called several times, or never */
  int (*step)(void* user, double begin, double end); /* advance, and set the outputs for the end */
  int (*stop)(void* user);                           /* the experiment is over or has failed */
  int (*reset)(void* user);                          /* return to the state after openmi_dcp_open */
} openmi_dcp_hooks;

/* The last error of this thread; empty if there was none. Copies at most size - 1 bytes and a zero into buffer. buffer
 * may be null. Returns the length of the whole text in bytes. */
size_t openmi_dcp_last_error(char* buffer, size_t size);

/* Reads the description and opens the control ports. Returns null on error.
 * hooks: copied. user: borrowed, given to the hooks. host: an address of this machine; null: the loopback.
 * udp_port, tcp_port: 0: any free port; negative: that of the description. */
openmi_dcp_slave* openmi_dcp_open(const char* description, const openmi_dcp_hooks* hooks, void* user, const char* host,
                                  int udp_port, int tcp_port);
/* Closes the slave and frees it. Does nothing with null. */
void openmi_dcp_close(openmi_dcp_slave* slave);
/* The control port of UDP (is_tcp 0) or TCP; -1 where the description has no such transport. */
int openmi_dcp_port(openmi_dcp_slave* slave, int is_tcp);

/* The position of a variable; -1 if no variable has that name. */
int openmi_dcp_find(openmi_dcp_slave* slave, const char* name);
/* The present number of elements of an array; 1 for a scalar; 0 on error, also for a string or binary. */
size_t openmi_dcp_count(openmi_dcp_slave* slave, int variable);
/* Reads or writes all elements of a variable of numbers; count must be their number. Writing rounds and limits the
 * values to the variable's type. */
int openmi_dcp_get(openmi_dcp_slave* slave, int variable, double* values, size_t count);
int openmi_dcp_set(openmi_dcp_slave* slave, int variable, const double* values, size_t count);
/* Reads or writes a string or binary. Reading returns null on error. The text returned is valid until the value
 * changes; it has no terminating zero. */
const char* openmi_dcp_get_text(openmi_dcp_slave* slave, int variable, size_t* size);
int openmi_dcp_set_text(openmi_dcp_slave* slave, int variable, const char* text, size_t size);

/* For long hooks, to be called now and then: lets the slave answer requests for its state. Does not wait. */
void openmi_dcp_attend(openmi_dcp_slave* slave);
/* For hooks: adds a message to the slave's log, where the description has a template of that level that takes one
 * string, and the master requests such messages. level: 0 fatal, 1 error, 2 warning, 3 information, 4 debug. */
int openmi_dcp_report(openmi_dcp_slave* slave, int level, const char* message);

/* Runs the slave until openmi_dcp_stop is called. Returns -1 when the last experiment failed. */
int openmi_dcp_run(openmi_dcp_slave* slave);
/* Ends openmi_dcp_run within 0.1 s. May be called from any thread or signal handler. */
void openmi_dcp_stop(openmi_dcp_slave* slave);

#ifdef __cplusplus
}
#endif

#endif
