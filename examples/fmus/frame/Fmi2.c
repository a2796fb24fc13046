/* The interface of FMI 2.0 over Instance.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Model.h"
#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

#define ENTER(call, modes)                               \
  Instance* instance = component;                        \
  {                                                      \
    const Status entered = Enter(instance, call, modes); \
    if (entered >= kDiscard) return (fmi2Status)entered; \
  }

static void Tell(Instance* instance, Status status, const char* category, const char* message) {
  const fmi2CallbackLogger logger = (fmi2CallbackLogger)instance->callback;
  logger(instance->environment, instance->name, (fmi2Status)status, category, "%s", message);
}

static int HexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* file:///a%20b or file:/a: the path it means. */
static void PathOf(const char* uri, char* path, size_t size) {
  if (strncmp(uri, "file://", 7) == 0) {
    uri += 7;
  } else if (strncmp(uri, "file:", 5) == 0) {
    uri += 5;
  }
  if (uri[0] == '/' && uri[1] != '\0' && uri[2] == ':') ++uri; /* of Windows: file:///Z:/a */
  size_t n = 0;
  for (; *uri != '\0' && n + 1 < size; ++uri) {
    if (uri[0] == '%' && HexDigit(uri[1]) >= 0 && HexDigit(uri[2]) >= 0) {
      path[n++] = (char)(16 * HexDigit(uri[1]) + HexDigit(uri[2]));
      uri += 2;
    } else {
      path[n++] = *uri;
    }
  }
  path[n] = '\0';
}

const char* fmi2GetTypesPlatform(void) {
  return "default";
}

const char* fmi2GetVersion(void) {
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible, fmi2Boolean logging) {
  (void)visible;
  if (functions == NULL || functions->logger == NULL) return NULL;
  char path[4096] = "";
  if (resources != NULL) PathOf(resources, path, sizeof path);
  Instance* instance = MakeInstance(2, name, guid, path, logging != 0);
  if (instance == NULL) {
    functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                      "wrong name or GUID, or out of memory");
    return NULL;
  }
  instance->core->exchange = type == fmi2ModelExchange;
  instance->environment = functions->componentEnvironment;
  instance->callback = (void (*)(void))functions->logger;
  instance->log = Tell;
  if (Enter(instance, "Instantiate", kAnyMode) >= kDiscard) {
    FreeInstance(instance);
    return NULL;
  }
  return instance;
}

void fmi2FreeInstance(fmi2Component component) {
  FreeInstance(component);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t n, const fmi2String categories[]) {
  ENTER("SetDebugLogging", kAnyMode)
  return (fmi2Status)SetLogging(instance, on != 0, n, categories);
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                               fmi2Boolean has_stop, fmi2Real stop) {
  (void)has_tolerance, (void)tolerance;
  ENTER("SetupExperiment", MODE(kInstantiated))
  Core* core = instance->core;
  if (core->has_experiment || (has_stop && stop < start)) return fmi2Error;
  core->has_experiment = true;
  core->time = core->start_time = start;
  core->stop_defined = has_stop != 0;
  core->stop_time = stop;
  return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  ENTER("EnterInitializationMode", MODE(kInstantiated))
  const Core* core = instance->core;
  if (!core->has_experiment) {
    Log(instance, kError, "logStatusError", "SetupExperiment was not called");
    return fmi2Error;
  }
  return (fmi2Status)StartInitialization(instance, core->start_time, core->stop_defined, core->stop_time);
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  ENTER("ExitInitializationMode", MODE(kInitialization))
  return (fmi2Status)EndInitialization(instance);
}

fmi2Status fmi2Terminate(fmi2Component component) {
  ENTER("Terminate", MODE(kEventMode) | MODE(kContinuousTime) | MODE(kStepMode))
  instance->core->mode = kTerminated;
  return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component component) {
  ENTER("Reset", kAnyMode)
  ResetInstance(instance);
  return fmi2OK;
}

/* Int32 and Enumeration share the functions of Integer. */
static Type IntegerType(const fmi2ValueReference reference) {
  return reference < (unsigned)kModel.variable_count && kModel.variables[reference].type == kEnumeration ? kEnumeration
                                                                                                         : kInt32;
}

#define GET(Name, Value, type, read)                                                                           \
  fmi2Status fmi2Get##Name(fmi2Component component, const fmi2ValueReference vr[], size_t n, Value values[]) { \
    ENTER("Get" #Name, kAnyMode & ~MODE(kInstantiated))                                                        \
    for (size_t i = 0; i < n; ++i) {                                                                           \
      const Status status = MayGet(instance, vr[i], type, "Get" #Name);                                        \
      if (status >= kDiscard) return (fmi2Status)status;                                                       \
      values[i] = read;                                                                                        \
    }                                                                                                          \
    return fmi2OK;                                                                                             \
  }
#define SET(Name, Value, type, write)                                                                                \
  fmi2Status fmi2Set##Name(fmi2Component component, const fmi2ValueReference vr[], size_t n, const Value values[]) { \
    ENTER("Set" #Name, kAnyMode & ~MODE(kTerminated))                                                                \
    for (size_t i = 0; i < n; ++i) {                                                                                 \
      const Status status = MaySet(instance, vr[i], type, "Set" #Name);                                              \
      if (status >= kDiscard) return (fmi2Status)status;                                                             \
      write;                                                                                                         \
    }                                                                                                                \
    return fmi2OK;                                                                                                   \
  }

static int ReadInteger(Instance* instance, fmi2ValueReference vr) {
  return IntegerType(vr) == kEnumeration ? (int)*(int64_t*)ValueAt(instance, vr) : *(int32_t*)ValueAt(instance, vr);
}

static void WriteInteger(Instance* instance, fmi2ValueReference vr, int value) {
  if (IntegerType(vr) == kEnumeration) {
    *(int64_t*)ValueAt(instance, vr) = value;
  } else {
    *(int32_t*)ValueAt(instance, vr) = value;
  }
}

GET(Real, fmi2Real, kFloat64, *(double*)ValueAt(instance, vr[i]))
GET(Integer, fmi2Integer, IntegerType(vr[i]), ReadInteger(instance, vr[i]))
GET(Boolean, fmi2Boolean, kBoolean, *(bool*)ValueAt(instance, vr[i]) ? 1 : 0)
GET(String, fmi2String, kString, (const char*)ValueAt(instance, vr[i]))
SET(Real, fmi2Real, kFloat64, *(double*)ValueAt(instance, vr[i]) = values[i])
SET(Integer, fmi2Integer, IntegerType(vr[i]), WriteInteger(instance, vr[i], values[i]))
SET(Boolean, fmi2Boolean, kBoolean, *(bool*)ValueAt(instance, vr[i]) = values[i] != 0)
SET(String, fmi2String, kString, snprintf(ValueAt(instance, vr[i]), sizeof(Text), "%s", values[i]))

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  ENTER("GetFMUstate", kAnyMode)
  return (fmi2Status)GetState(instance, state);
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  ENTER("SetFMUstate", kAnyMode)
  return (fmi2Status)SetState(instance, state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state) {
  ENTER("FreeFMUstate", kAnyMode)
  return (fmi2Status)FreeState(state);
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size) {
  ENTER("SerializedFMUstateSize", kAnyMode)
  return (fmi2Status)StateSize(instance, state, size);
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  ENTER("SerializeFMUstate", kAnyMode)
  return (fmi2Status)StateToBytes(instance, state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  ENTER("DeSerializeFMUstate", kAnyMode)
  return (fmi2Status)BytesToState(instance, bytes, size, state);
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknown[], size_t n,
                                        const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                        fmi2Real sensitivity[]) {
  ENTER("GetDirectionalDerivative", kAnyMode & ~MODE(kInstantiated))
  return (fmi2Status)Directional(instance, unknown, n, known, m, seed, sensitivity);
}

fmi2Status fmi2EnterEventMode(fmi2Component component) {
  ENTER("EnterEventMode", MODE(kContinuousTime))
  instance->core->mode = kEventMode;
  return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo* info) {
  ENTER("NewDiscreteStates", MODE(kEventMode))
  EventResult result;
  const Status status = HandleEvent(instance, &result);
  info->newDiscreteStatesNeeded = result.again;
  info->terminateSimulation = result.terminate;
  info->nominalsOfContinuousStatesChanged = fmi2False;
  info->valuesOfContinuousStatesChanged = result.states_changed;
  info->nextEventTimeDefined = result.has_next_time;
  info->nextEventTime = result.next_time;
  return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component) {
  ENTER("EnterContinuousTimeMode", MODE(kEventMode))
  instance->core->mode = kContinuousTime;
  return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean no_set_prior, fmi2Boolean* enter_event_mode,
                                       fmi2Boolean* terminate) {
  ENTER("CompletedIntegratorStep", MODE(kContinuousTime))
  GiveUpReturn(instance, no_set_prior != 0);
  *enter_event_mode = *terminate = fmi2False;
  return fmi2OK;
}

fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time) {
  ENTER("SetTime", MODE(kContinuousTime) | MODE(kEventMode))
  instance->core->time = time;
  instance->core->dirty = true;
  return fmi2OK;
}

/* Where states and indicators are there. */
enum { kSolved = MODE(kInitialization) | MODE(kEventMode) | MODE(kContinuousTime) | MODE(kTerminated) };

static fmi2Status CheckCount(Instance* instance, size_t found, int expected) {
  if (found == (size_t)expected) return fmi2OK;
  Log(instance, kError, "logStatusError", "expected %d values, found %zu", expected, found);
  return fmi2Error;
}

fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real x[], size_t n) {
  ENTER("SetContinuousStates", MODE(kContinuousTime))
  for (size_t i = 0; i < n; ++i) *StateAt(instance, (int)i) = x[i];
  instance->core->dirty = true;
  return CheckCount(instance, n, StateCount(instance));
}

fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real out[], size_t n) {
  ENTER("GetDerivatives", MODE(kEventMode) | MODE(kContinuousTime) | MODE(kTerminated))
  const Status status = instance->core->dirty ? Evaluate(instance) : kOK;
  if (status >= kDiscard) return (fmi2Status)status;
  for (size_t i = 0; i < n; ++i) out[i] = *DerivativeAt(instance, (int)i);
  return CheckCount(instance, n, StateCount(instance));
}

fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real out[], size_t n) {
  ENTER("GetEventIndicators", kSolved)
  if (CheckCount(instance, n, kModel.indicator_count) != fmi2OK) return fmi2Error;
  Indicators(instance, out);
  return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real out[], size_t n) {
  ENTER("GetContinuousStates", kSolved)
  for (size_t i = 0; i < n; ++i) out[i] = *StateAt(instance, (int)i);
  return CheckCount(instance, n, StateCount(instance));
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real out[], size_t n) {
  ENTER("GetNominalsOfContinuousStates", kSolved | MODE(kInstantiated))
  for (size_t i = 0; i < n; ++i) out[i] = 1.0;
  return CheckCount(instance, n, StateCount(instance));
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real values[]) {
  ENTER("SetRealInputDerivatives", MODE(kStepMode))
  for (size_t i = 0; i < n; ++i) {
    const Status status = SetInputSlope(instance, vr[i], order[i], values[i]);
    if (status >= kDiscard) return (fmi2Status)status;
  }
  return fmi2OK;
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real values[]) {
  ENTER("GetRealOutputDerivatives", MODE(kStepMode) | MODE(kTerminated))
  for (size_t i = 0; i < n; ++i) {
    const Status status = OutputSlope(instance, vr[i], order[i], &values[i]);
    if (status >= kDiscard) return (fmi2Status)status;
  }
  return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real current, fmi2Real step, fmi2Boolean no_set_prior) {
  ENTER("DoStep", MODE(kStepMode))
  GiveUpReturn(instance, no_set_prior != 0);
  bool event_needed = false;
  bool early = false;
  if (instance->core->terminate) return fmi2Discard;
  const Status status = Step(instance, current, step, &event_needed, &early);
  return status < kDiscard && instance->core->terminate && early ? fmi2Discard : (fmi2Status)status;
}

fmi2Status fmi2CancelStep(fmi2Component component) {
  (void)component;
  return fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component component, fmi2StatusKind kind, fmi2Status* value) {
  (void)component, (void)kind, (void)value;
  return fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real* value) {
  ENTER("GetRealStatus", kAnyMode)
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  *value = instance->core->last_successful;
  return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component component, fmi2StatusKind kind, fmi2Integer* value) {
  (void)component, (void)kind, (void)value;
  return fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean* value) {
  ENTER("GetBooleanStatus", kAnyMode)
  if (kind != fmi2Terminated) return fmi2Discard;
  *value = instance->core->terminate;
  return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component component, fmi2StatusKind kind, fmi2String* value) {
  (void)component, (void)kind, (void)value;
  return fmi2Discard;
}
