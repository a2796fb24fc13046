#ifndef OPENMI_DCP_H
#define OPENMI_DCP_H

/*
 * A simulator as a DCP slave, for C and whoever calls C: five hooks and the values of its variables.
 *
 *   openmi_dcp_hooks hooks = {.step = my_step};
 *   openmi_dcp_slave* slave = openmi_dcp_open("tank.dcpx", &hooks, my_data, "127.0.0.1", 8080, 8080);
 *   if (slave == NULL) fail();
 *   inflow = openmi_dcp_find(slave, "inflow");
 *   openmi_dcp_run(slave);
 *   openmi_dcp_close(slave);
 *
 * Which variables there are says the slave description (.dcpx, or a .dcp archive). Unless said otherwise a function
 * returns 0 on success and -1 on error; openmi_dcp_last_error then says what was expected, what was found and what to
 * do. Texts are UTF-8. Values are read and written by hooks, or while no openmi_dcp_run is under way. No function
 * throws.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct openmi_dcp_slave openmi_dcp_slave;

/* What the simulator does. Each returns 0 when it went well; anything else brings the slave to the error states. A null
 * pointer stands for nothing to be done; step must be there. Times are seconds since the start. */
typedef struct {
  int (*configure)(void* user);  /* parameters are in force: make the start condition */
  int (*initialize)(void* user); /* inputs are there: make outputs that fit them; may come several times, or never */
  int (*step)(void* user, double begin, double end); /* advance, and set the outputs for the end */
  int (*stop)(void* user);                           /* the experiment is over, or has failed */
  int (*reset)(void* user);                          /* as it was made */
} openmi_dcp_hooks;

/* The last error of this thread, empty if there was none. Copies at most size - 1 bytes and a zero into buffer, which
 * may be null. Returns the length of the whole text. */
size_t openmi_dcp_last_error(char* buffer, size_t size);

/* Reads the description and opens the control ports. Null on error.
 * hooks: copied. host: an address of this machine; null: the loopback.
 * udp_port, tcp_port: 0: any free one; negative: that of the description. */
openmi_dcp_slave* openmi_dcp_open(const char* description, const openmi_dcp_hooks* hooks, void* user, const char* host,
                                  int udp_port, int tcp_port);
/* Null is no error. */
void openmi_dcp_close(openmi_dcp_slave* slave);
/* The control port of UDP, or of TCP; -1 where the description has no such transport. */
int openmi_dcp_port(openmi_dcp_slave* slave, int is_tcp);

/* The position of a variable; -1 if there is none of that name. */
int openmi_dcp_find(openmi_dcp_slave* slave, const char* name);
/* Elements of an array as it is now, 1 for a scalar; 0 on error. */
size_t openmi_dcp_count(openmi_dcp_slave* slave, int variable);
/* All elements of a variable of numbers; count must be theirs. Setting rounds and limits to the variable's type. */
int openmi_dcp_get(openmi_dcp_slave* slave, int variable, double* values, size_t count);
int openmi_dcp_set(openmi_dcp_slave* slave, int variable, const double* values, size_t count);
/* A string or binary. What is got is good until the value changes; not zero-terminated. */
const char* openmi_dcp_get_text(openmi_dcp_slave* slave, int variable, size_t* size);
int openmi_dcp_set_text(openmi_dcp_slave* slave, int variable, const char* text, size_t size);

/* For hooks that take long, to be called now and then: the slave answers questions for its state. Does not wait. */
void openmi_dcp_attend(openmi_dcp_slave* slave);
/* For hooks: adds a message to the slave's log, where the description has a template of that level that takes one
 * string, and the master wants it. level: 0 fatal, 1 error, 2 warning, 3 information, 4 debug. */
int openmi_dcp_report(openmi_dcp_slave* slave, int level, const char* message);

/* Works until openmi_dcp_stop is called. -1 when the last experiment failed. */
int openmi_dcp_run(openmi_dcp_slave* slave);
/* Lets openmi_dcp_run end soon. From any thread or signal handler. */
void openmi_dcp_stop(openmi_dcp_slave* slave);

#ifdef __cplusplus
}
#endif

#endif
