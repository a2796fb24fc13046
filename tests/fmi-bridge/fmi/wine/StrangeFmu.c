/* An FMU of FMI 2.0 that does what the name of its instance says, in its second step: "crash", "exit", "hang", "print";
   "nothing" makes no instance. It counts its steps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

typedef struct {
  char name[64];
  double count;
} Strange;

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible, fmi2Boolean logging) {
  (void)type, (void)guid, (void)location, (void)visible, (void)logging;
  if (strstr(name, "nothing") != NULL) return NULL;
  Strange* strange = callbacks->allocateMemory(1, sizeof(Strange));
  if (strange != NULL) snprintf(strange->name, sizeof strange->name, "%s", name);
  return strange;
}
void fmi2FreeInstance(fmi2Component c) {
  free(c);
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean t, fmi2Real e, fmi2Real start, fmi2Boolean s,
                               fmi2Real stop) {
  (void)c, (void)t, (void)e, (void)start, (void)s, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component c) {
  (void)c;
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real values[]) {
  (void)vr;
  for (size_t i = 0; i < n; ++i) values[i] = ((Strange*)c)->count;
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real step, fmi2Boolean no_way_back) {
  (void)from, (void)step, (void)no_way_back;
  Strange* strange = c;
  strange->count += 1.0;
  if (strange->count != 2.0) return fmi2OK;
  if (strstr(strange->name, "crash") != NULL) *(volatile int*)8 = 1;
  if (strstr(strange->name, "exit") != NULL) exit(7);
  while (strstr(strange->name, "hang") != NULL) {
  }
  if (strstr(strange->name, "print") != NULL) {
    puts("a line that must not come between the letters");
    fflush(stdout);
  }
  return fmi2OK;
}
