/* The model of Reaction.h as an FMU of FMI 2.0 for model exchange. The number of its cells comes from the instance's
   name, "cells=5000"; value references: states 0 to 2 n - 1, then their derivatives. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi-bridge/fmi/abi/Fmi2Functions.h"
#include "tests/fmi-bridge/support/Reaction.h"

typedef struct {
  size_t cells;
  double *x, *dx, *seed;
} Reaction;

const char* fmi2GetTypesPlatform(void) {
  return "default";
}
const char* fmi2GetVersion(void) {
  return "2.0";
}
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
  (void)c, (void)on, (void)n, (void)categories;
  return fmi2OK;
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  (void)name, (void)resources, (void)functions, (void)visible, (void)logging;
  unsigned long cells = 0;
  if (type != fmi2ModelExchange || sscanf(guid, "cells=%lu", &cells) != 1 || cells == 0) return NULL;
  Reaction* made = malloc(sizeof(Reaction));
  made->cells = cells;
  made->x = malloc(2 * cells * sizeof(double));
  made->dx = malloc(2 * cells * sizeof(double));
  made->seed = malloc(2 * cells * sizeof(double));
  for (size_t i = 0; i < 2 * cells; ++i) made->x[i] = ReactionStart(cells, i);
  return made;
}
void fmi2FreeInstance(fmi2Component c) {
  Reaction* self = c;
  free(self->x);
  free(self->dx);
  free(self->seed);
  free(self);
}
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  (void)c, (void)has_tolerance, (void)tolerance, (void)start, (void)has_stop, (void)stop;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return (void)c, fmi2OK;
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return (void)c, fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component c) {
  return (void)c, fmi2OK;
}
fmi2Status fmi2Reset(fmi2Component c) {
  return (void)c, fmi2Error;
}
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real v[]) {
  Reaction* self = c;
  ReactionRates(self->cells, self->x, self->dx);
  for (size_t i = 0; i < n; ++i) v[i] = r[i] < 2 * self->cells ? self->x[r[i]] : self->dx[r[i] - 2 * self->cells];
  return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real v[]) {
  Reaction* self = c;
  for (size_t i = 0; i < n; ++i) self->x[r[i]] = v[i];
  return fmi2OK;
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t unknown_count,
                                        const fmi2ValueReference knowns[], size_t known_count, const fmi2Real seeds[],
                                        fmi2Real products[]) {
  Reaction* self = c;
  memset(self->seed, 0, 2 * self->cells * sizeof(double));
  for (size_t i = 0; i < known_count; ++i) self->seed[knowns[i]] = seeds[i];
  ReactionProduct(self->cells, self->x, self->seed, self->dx);
  for (size_t i = 0; i < unknown_count; ++i) products[i] = self->dx[unknowns[i] - 2 * self->cells];
  return fmi2OK;
}
fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return (void)c, fmi2OK;
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  (void)c;
  memset(info, 0, sizeof *info);
  return fmi2OK;
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return (void)c, fmi2OK;
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return, fmi2Boolean* event, fmi2Boolean* end) {
  (void)c, (void)no_return;
  *event = *end = fmi2False;
  return fmi2OK;
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return (void)c, (void)time, fmi2OK;
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
  memcpy(((Reaction*)c)->x, x, n * sizeof(double));
  return fmi2OK;
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real dx[], size_t n) {
  (void)n;
  ReactionRates(((Reaction*)c)->cells, ((Reaction*)c)->x, dx);
  return fmi2OK;
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real z[], size_t n) {
  return (void)c, (void)z, (void)n, fmi2OK;
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  memcpy(x, ((Reaction*)c)->x, n * sizeof(double));
  return fmi2OK;
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
  (void)c;
  for (size_t i = 0; i < n; ++i) x[i] = 1.0;
  return fmi2OK;
}
