/* An FMU of FMI 2.0 for co-simulation, as small as one can be: its output 1 is a number of the library beside it. */
#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

double SiblingNumber(void);

static int the_instance;

const char* fmi2GetVersion(void) {
  return "2.0";
}
const char* fmi2GetTypesPlatform(void) {
  return "default";
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  (void)name, (void)type, (void)token, (void)resources, (void)functions, (void)visible, (void)logging;
  return &the_instance;
}
void fmi2FreeInstance(fmi2Component component) {
  (void)component;
}
fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  (void)component, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  (void)component;
  return fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  (void)component;
  return fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component component) {
  (void)component;
  return fmi2OK;
}
fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
  (void)component, (void)references;
  for (size_t i = 0; i < count; ++i) values[i] = SiblingNumber();
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real now, fmi2Real step, fmi2Boolean no_return) {
  (void)component, (void)now, (void)step, (void)no_return;
  return fmi2OK;
}
