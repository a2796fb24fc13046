/* The interface of FMI 3.0 over Instance.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Model.h"
#include "fmi-bridge/fmi/abi/Fmi3Functions.h"

#define ENTER(call, modes)                               \
  Instance* instance = component;                        \
  {                                                      \
    const Status entered = Enter(instance, call, modes); \
    if (entered >= kDiscard) return (fmi3Status)entered; \
  }

static void Tell(Instance* instance, Status status, const char* category, const char* message) {
  const fmi3LogMessageCallback logger = (fmi3LogMessageCallback)instance->callback;
  if (logger != NULL) logger(instance->environment, (fmi3Status)status, category, message);
}

static Status CallUpdate(Instance* instance, double time, bool can_return, bool* return_early, double* return_time) {
  const fmi3IntermediateUpdateCallback update = (fmi3IntermediateUpdateCallback)instance->update;
  update(instance->environment, time, true, true, true, can_return, return_early, return_time);
  return kOK;
}

const char* fmi3GetVersion(void) {
  return "3.0";
}

static Instance* Make(fmi3String name, fmi3String token, fmi3String resources, bool logging,
                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger) {
  char path[4096];
  snprintf(path, sizeof path, "%s", resources != NULL ? resources : "");
  if (path[0] != '\0' && path[strlen(path) - 1] == '/') path[strlen(path) - 1] = '\0';
  Instance* instance = MakeInstance(3, name, token, path, logging);
  if (instance == NULL) {
    if (logger != NULL)
      logger(environment, fmi3Error, "logStatusError", "wrong name or instantiation token, or out of memory");
    return NULL;
  }
  instance->environment = environment;
  instance->callback = (void (*)(void))logger;
  instance->log = Tell;
  if (Enter(instance, "Instantiate", kAnyMode) >= kDiscard) {
    FreeInstance(instance);
    return NULL;
  }
  return instance;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger) {
  (void)visible;
  if (kModel.no_model_exchange) return NULL;
  Instance* instance = Make(name, token, resources, logging, environment, logger);
  if (instance != NULL) instance->core->exchange = true;
  return instance;
}

static uint32_t* Kept(const fmi3ValueReference references[], size_t n) {
  uint32_t* kept = n > 0 ? malloc(n * sizeof *kept) : NULL;
  if (kept != NULL) memcpy(kept, references, n * sizeof *kept);
  return kept;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback update) {
  (void)visible;
  if (kModel.no_co_simulation) return NULL;
  for (size_t i = 0; i < n; ++i) {
    if (required[i] < (unsigned)kModel.variable_count && kModel.variables[required[i]].intermediate) continue;
    if (logger != NULL)
      logger(environment, fmi3Error, "logStatusError", "a required variable is not one of intermediate update");
    return NULL;
  }
  Instance* instance = Make(name, token, resources, logging, environment, logger);
  if (instance == NULL) return NULL;
  instance->core->event_mode = event_mode && kModel.event_mode;
  instance->core->early_return = early_return;
  instance->required = Kept(required, n);
  instance->required_count = instance->required != NULL ? n : 0;
  instance->update = (void (*)(void))update;
  if (update != NULL && kModel.intermediate) instance->intermediate = CallUpdate;
  return instance;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                               fmi3ClockUpdateCallback clock_update, fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock) {
  (void)visible;
  if (!kModel.scheduled || clock_update == NULL) return NULL;
  Instance* instance = Make(name, token, resources, logging, environment, logger);
  if (instance == NULL) return NULL;
  instance->core->scheduled = true;
  instance->update = (void (*)(void))clock_update;
  instance->lock = lock;
  instance->unlock = unlock;
  return instance;
}

void fmi3FreeInstance(fmi3Instance component) {
  FreeInstance(component);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance component, fmi3Boolean on, size_t n, const fmi3String categories[]) {
  ENTER("SetDebugLogging", kAnyMode)
  return (fmi3Status)SetLogging(instance, on, n, categories);
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance component, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
  (void)has_tolerance, (void)tolerance;
  ENTER("EnterInitializationMode", MODE(kInstantiated))
  return (fmi3Status)StartInitialization(instance, start, has_stop, stop);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance component) {
  ENTER("ExitInitializationMode", MODE(kInitialization))
  return (fmi3Status)EndInitialization(instance);
}

fmi3Status fmi3EnterEventMode(fmi3Instance component) {
  ENTER("EnterEventMode", MODE(kContinuousTime) | MODE(kStepMode))
  if (!instance->core->exchange && !instance->core->event_mode) {
    Log(instance, kError, "logStatusError", "EnterEventMode: the instance was made without event mode");
    return fmi3Error;
  }
  instance->core->mode = kEventMode;
  return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance component) {
  ENTER("Terminate", MODE(kEventMode) | MODE(kContinuousTime) | MODE(kStepMode) | MODE(kClockActivation))
  instance->core->mode = kTerminated;
  return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance component) {
  ENTER("Reset", kAnyMode)
  ResetInstance(instance);
  return fmi3OK;
}

/* Enumerations go through Int64. */
static Type WideType(fmi3ValueReference reference) {
  return reference < (unsigned)kModel.variable_count && kModel.variables[reference].type == kEnumeration ? kEnumeration
                                                                                                         : kInt64;
}

static fmi3Status TooMany(Instance* instance, const char* call) {
  Log(instance, kError, "logStatusError", "%s: the number of values does not fit the variables", call);
  return fmi3Error;
}

#define ACCESS(Name, Value, type)                                                                                 \
  fmi3Status fmi3Get##Name(fmi3Instance component, const fmi3ValueReference vr[], size_t n, Value values[],       \
                           size_t n_values) {                                                                     \
    ENTER("Get" #Name, kAnyMode)                                                                                  \
    size_t at = 0;                                                                                                \
    for (size_t i = 0; i < n; ++i) {                                                                              \
      const Status status = MayGet(instance, vr[i], type, "Get" #Name);                                           \
      if (status >= kDiscard) return (fmi3Status)status;                                                          \
      const size_t count = Elements(instance, &kModel.variables[vr[i]]);                                          \
      if (at + count > n_values) return TooMany(instance, "Get" #Name);                                           \
      memcpy(values + at, ValueAt(instance, vr[i]), count * sizeof(Value));                                       \
      at += count;                                                                                                \
    }                                                                                                             \
    return at == n_values ? fmi3OK : TooMany(instance, "Get" #Name);                                              \
  }                                                                                                               \
  fmi3Status fmi3Set##Name(fmi3Instance component, const fmi3ValueReference vr[], size_t n, const Value values[], \
                           size_t n_values) {                                                                     \
    ENTER("Set" #Name, kAnyMode & ~MODE(kTerminated))                                                             \
    size_t at = 0;                                                                                                \
    for (size_t i = 0; i < n; ++i) {                                                                              \
      const Status status = MaySet(instance, vr[i], type, "Set" #Name);                                           \
      if (status >= kDiscard) return (fmi3Status)status;                                                          \
      const size_t count = Elements(instance, &kModel.variables[vr[i]]);                                          \
      if (at + count > n_values) return TooMany(instance, "Set" #Name);                                           \
      memcpy(ValueAt(instance, vr[i]), values + at, count * sizeof(Value));                                       \
      at += count;                                                                                                \
    }                                                                                                             \
    return at == n_values ? fmi3OK : TooMany(instance, "Set" #Name);                                              \
  }

ACCESS(Float32, fmi3Float32, kFloat32)
ACCESS(Float64, fmi3Float64, kFloat64)
ACCESS(Int8, fmi3Int8, kInt8)
ACCESS(UInt8, fmi3UInt8, kUInt8)
ACCESS(Int16, fmi3Int16, kInt16)
ACCESS(UInt16, fmi3UInt16, kUInt16)
ACCESS(Int32, fmi3Int32, kInt32)
ACCESS(UInt32, fmi3UInt32, kUInt32)
ACCESS(Int64, fmi3Int64, WideType(vr[i]))
ACCESS(UInt64, fmi3UInt64, kUInt64)
ACCESS(Boolean, fmi3Boolean, kBoolean)

fmi3Status fmi3GetString(fmi3Instance component, const fmi3ValueReference vr[], size_t n, fmi3String values[],
                         size_t n_values) {
  ENTER("GetString", kAnyMode)
  if (n != n_values) return TooMany(instance, "GetString");
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayGet(instance, vr[i], kString, "GetString");
    if (status >= kDiscard) return (fmi3Status)status;
    values[i] = ValueAt(instance, vr[i]);
  }
  return fmi3OK;
}

fmi3Status fmi3SetString(fmi3Instance component, const fmi3ValueReference vr[], size_t n, const fmi3String values[],
                         size_t n_values) {
  ENTER("SetString", kAnyMode & ~MODE(kTerminated))
  if (n != n_values) return TooMany(instance, "SetString");
  for (size_t i = 0; i < n; ++i) {
    const Status status = MaySet(instance, vr[i], kString, "SetString");
    if (status >= kDiscard) return (fmi3Status)status;
    snprintf(ValueAt(instance, vr[i]), sizeof(Text), "%s", values[i]);
  }
  return fmi3OK;
}

fmi3Status fmi3GetBinary(fmi3Instance component, const fmi3ValueReference vr[], size_t n, size_t sizes[],
                         fmi3Binary values[], size_t n_values) {
  ENTER("GetBinary", kAnyMode)
  if (n != n_values) return TooMany(instance, "GetBinary");
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayGet(instance, vr[i], kBinary, "GetBinary");
    if (status >= kDiscard) return (fmi3Status)status;
    const Blob* blob = ValueAt(instance, vr[i]);
    sizes[i] = blob->size;
    values[i] = blob->bytes;
  }
  return fmi3OK;
}

fmi3Status fmi3SetBinary(fmi3Instance component, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                         const fmi3Binary values[], size_t n_values) {
  ENTER("SetBinary", kAnyMode & ~MODE(kTerminated))
  if (n != n_values) return TooMany(instance, "SetBinary");
  for (size_t i = 0; i < n; ++i) {
    const Status status = MaySet(instance, vr[i], kBinary, "SetBinary");
    if (status >= kDiscard) return (fmi3Status)status;
    Blob* blob = ValueAt(instance, vr[i]);
    if (sizes[i] > sizeof blob->bytes) return TooMany(instance, "SetBinary");
    blob->size = sizes[i];
    memcpy(blob->bytes, values[i], sizes[i]);
  }
  return fmi3OK;
}

fmi3Status fmi3GetClock(fmi3Instance component, const fmi3ValueReference vr[], size_t n, fmi3Clock values[]) {
  ENTER("GetClock", MODE(kEventMode) | MODE(kClockUpdate))
  for (size_t i = 0; i < n; ++i) {
    Status status = MayUseClock(instance, vr[i], kGetClock, false, "GetClock");
    if (status < kDiscard && instance->core->dirty) status = Evaluate(instance);
    if (status >= kDiscard) return (fmi3Status)status;
    values[i] = *(bool*)ValueAt(instance, vr[i]);
    if (instance->core->mode != kClockUpdate) continue;
    values[i] = values[i] && (instance->core->told & (1u << vr[i])) == 0; /* a tick is reported once */
    if (values[i]) instance->core->told |= 1u << vr[i];
  }
  return fmi3OK;
}

fmi3Status fmi3SetClock(fmi3Instance component, const fmi3ValueReference vr[], size_t n, const fmi3Clock values[]) {
  ENTER("SetClock", MODE(kEventMode))
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayUseClock(instance, vr[i], kSetClock, false, "SetClock");
    if (status >= kDiscard) return (fmi3Status)status;
    *(bool*)ValueAt(instance, vr[i]) = values[i];
    if (values[i] && kModel.ticked != NULL) kModel.ticked(instance, vr[i]);
    instance->core->dirty = true;
  }
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance component, fmi3ValueReference vr, size_t* n) {
  (void)component, (void)vr, (void)n;
  return fmi3Error;
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance component, fmi3ValueReference vr, size_t element[],
                                       fmi3ValueReference independents[], size_t elements[], fmi3DependencyKind kinds[],
                                       size_t n) {
  (void)component, (void)vr, (void)element, (void)independents, (void)elements, (void)kinds, (void)n;
  return fmi3Error;
}

fmi3Status fmi3GetFMUState(fmi3Instance component, fmi3FMUState* state) {
  ENTER("GetFMUState", kAnyMode)
  return (fmi3Status)GetState(instance, state);
}

fmi3Status fmi3SetFMUState(fmi3Instance component, fmi3FMUState state) {
  ENTER("SetFMUState", kAnyMode)
  return (fmi3Status)SetState(instance, state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance component, fmi3FMUState* state) {
  ENTER("FreeFMUState", kAnyMode)
  return (fmi3Status)FreeState(state);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance component, fmi3FMUState state, size_t* size) {
  ENTER("SerializedFMUStateSize", kAnyMode)
  return (fmi3Status)StateSize(instance, state, size);
}

fmi3Status fmi3SerializeFMUState(fmi3Instance component, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  ENTER("SerializeFMUState", kAnyMode)
  return (fmi3Status)StateToBytes(instance, state, bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance component, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  ENTER("DeserializeFMUState", kAnyMode)
  return (fmi3Status)BytesToState(instance, bytes, size, state);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance component, const fmi3ValueReference unknown[], size_t n,
                                        const fmi3ValueReference known[], size_t m, const fmi3Float64 seed[],
                                        size_t n_seed, fmi3Float64 sensitivity[], size_t n_sensitivity) {
  ENTER("GetDirectionalDerivative", kAnyMode & ~MODE(kInstantiated) & ~MODE(kConfiguration))
  if (n_seed != m || n_sensitivity != n) return TooMany(instance, "GetDirectionalDerivative");
  return (fmi3Status)Directional(instance, unknown, n, known, m, seed, sensitivity);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance component, const fmi3ValueReference unknown[], size_t n,
                                    const fmi3ValueReference known[], size_t m, const fmi3Float64 seed[], size_t n_seed,
                                    fmi3Float64 sensitivity[], size_t n_sensitivity) {
  (void)component, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)n_seed, (void)sensitivity;
  (void)n_sensitivity;
  return fmi3Error;
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance component) {
  ENTER("EnterConfigurationMode", MODE(kInstantiated))
  instance->core->mode = kConfiguration;
  return fmi3OK;
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance component) {
  ENTER("ExitConfigurationMode", MODE(kConfiguration))
  instance->core->mode = kInstantiated;
  return fmi3OK;
}

/* A clock that the description leaves open ticks at the next event time or at the model's interval. */
fmi3Status fmi3GetIntervalDecimal(fmi3Instance component, const fmi3ValueReference vr[], size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]) {
  ENTER("GetIntervalDecimal", MODE(kEventMode) | MODE(kInitialization) | MODE(kClockActivation) | MODE(kClockUpdate))
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayUseClock(instance, vr[i], kAskInterval, false, "GetIntervalDecimal");
    if (status >= kDiscard) return (fmi3Status)status;
    intervals[i] = kModel.interval != NULL         ? kModel.interval(instance, vr[i])
                   : instance->core->has_next_time ? instance->core->next_time - instance->core->time
                                                   : kModel.clock_interval;
    const bool known = instance->core->scheduled ? intervals[i] != -1.0 : intervals[i] > 0.0;
    qualifiers[i] = known ? fmi3IntervalChanged : fmi3IntervalNotYetKnown;
  }
  return fmi3OK;
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance component, const fmi3ValueReference vr[], size_t n,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]) {
  ENTER("GetIntervalFraction", MODE(kEventMode) | MODE(kInitialization))
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayUseClock(instance, vr[i], kAskInterval, true, "GetIntervalFraction");
    if (status >= kDiscard) return (fmi3Status)status;
    counters[i] = 1;
    resolutions[i] = kModel.clock_resolution;
    qualifiers[i] = kModel.clock_resolution > 0 ? fmi3IntervalChanged : fmi3IntervalNotYetKnown;
  }
  return fmi3OK;
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance component, const fmi3ValueReference vr[], size_t n, fmi3Float64 shifts[]) {
  ENTER("GetShiftDecimal", MODE(kEventMode) | MODE(kInitialization))
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayUseClock(instance, vr[i], kAskShift, false, "GetShiftDecimal");
    if (status >= kDiscard) return (fmi3Status)status;
    shifts[i] = 0.0;
  }
  return fmi3OK;
}

fmi3Status fmi3GetShiftFraction(fmi3Instance component, const fmi3ValueReference vr[], size_t n, fmi3UInt64 counters[],
                                fmi3UInt64 resolutions[]) {
  ENTER("GetShiftFraction", MODE(kEventMode) | MODE(kInitialization))
  for (size_t i = 0; i < n; ++i) {
    const Status status = MayUseClock(instance, vr[i], kAskShift, true, "GetShiftFraction");
    if (status >= kDiscard) return (fmi3Status)status;
    counters[i] = 0;
    resolutions[i] = kModel.clock_resolution;
  }
  return fmi3OK;
}

static fmi3Status GiveInterval(Instance* instance, fmi3ValueReference clock, double interval, bool fraction,
                               const char* call) {
  const Status status = MayUseClock(instance, clock, kGiveInterval, fraction, call);
  if (status >= kDiscard) return (fmi3Status)status;
  if (!(interval > 0.0)) return fmi3Error;
  if (kModel.pace != NULL) kModel.pace(instance, clock, interval);
  instance->core->dirty = true;
  return fmi3OK;
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance component, const fmi3ValueReference vr[], size_t n,
                                  const fmi3Float64 intervals[]) {
  ENTER("SetIntervalDecimal", MODE(kEventMode) | MODE(kInitialization))
  fmi3Status status = fmi3OK;
  for (size_t i = 0; i < n && status == fmi3OK; ++i) {
    status = GiveInterval(instance, vr[i], intervals[i], false, "SetIntervalDecimal");
  }
  return status;
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance component, const fmi3ValueReference vr[], size_t n,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]) {
  ENTER("SetIntervalFraction", MODE(kEventMode) | MODE(kInitialization))
  fmi3Status status = fmi3OK;
  for (size_t i = 0; i < n && status == fmi3OK; ++i) {
    if (resolutions[i] == 0) return fmi3Error;
    status = GiveInterval(instance, vr[i], (double)counters[i] / (double)resolutions[i], true, "SetIntervalFraction");
  }
  return status;
}

#define NOT_OFFERED(Name, ...) \
  fmi3Status fmi3##Name(fmi3Instance component, const fmi3ValueReference vr[], size_t n, __VA_ARGS__) {
#define END_NOT_OFFERED(Name)                                                               \
  (void)vr, (void)n;                                                                        \
  if (component != NULL) Log(component, kError, "logStatusError", #Name " is not offered"); \
  return fmi3Error;                                                                         \
  }

NOT_OFFERED(SetShiftDecimal, const fmi3Float64 shifts[])
(void)shifts;
END_NOT_OFFERED(SetShiftDecimal)
NOT_OFFERED(SetShiftFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
(void)counters, (void)resolutions;
END_NOT_OFFERED(SetShiftFraction)

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance component) {
  (void)component;
  return fmi3Error;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance component, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals, fmi3Boolean* states, fmi3Boolean* has_next,
                                    fmi3Float64* next) {
  ENTER("UpdateDiscreteStates", MODE(kEventMode))
  EventResult result;
  const Status status = HandleEvent(instance, &result);
  *again = result.again;
  *terminate = result.terminate;
  *nominals = false;
  *states = result.states_changed;
  *has_next = result.has_next_time;
  *next = result.next_time;
  return (fmi3Status)status;
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance component) {
  ENTER("EnterContinuousTimeMode", MODE(kEventMode))
  if (!instance->core->exchange) return fmi3Error;
  instance->core->mode = kContinuousTime;
  return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance component, fmi3Boolean no_set_prior, fmi3Boolean* enter_event_mode,
                                       fmi3Boolean* terminate) {
  ENTER("CompletedIntegratorStep", MODE(kContinuousTime))
  GiveUpReturn(instance, no_set_prior);
  *enter_event_mode = *terminate = false;
  return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance component, fmi3Float64 time) {
  ENTER("SetTime", MODE(kContinuousTime))
  instance->core->time = time;
  instance->core->dirty = true;
  return fmi3OK;
}

/* Where states and indicators are there. */
enum { kSolved = MODE(kInitialization) | MODE(kEventMode) | MODE(kContinuousTime) | MODE(kTerminated) };

static fmi3Status CheckCount(Instance* instance, size_t found, int expected, const char* call) {
  return found == (size_t)expected ? fmi3OK : TooMany(instance, call);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance component, const fmi3Float64 x[], size_t n) {
  ENTER("SetContinuousStates", MODE(kContinuousTime))
  if (CheckCount(instance, n, StateCount(instance), "SetContinuousStates") != fmi3OK) return fmi3Error;
  for (size_t i = 0; i < n; ++i) *StateAt(instance, (int)i) = x[i];
  instance->core->dirty = true;
  return fmi3OK;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance component, fmi3Float64 out[], size_t n) {
  ENTER("GetContinuousStateDerivatives", kSolved)
  const Status status = instance->core->dirty ? Evaluate(instance) : kOK;
  if (status >= kDiscard) return (fmi3Status)status;
  if (CheckCount(instance, n, StateCount(instance), "GetContinuousStateDerivatives") != fmi3OK) return fmi3Error;
  for (size_t i = 0; i < n; ++i) out[i] = *DerivativeAt(instance, (int)i);
  return fmi3OK;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance component, fmi3Float64 out[], size_t n) {
  ENTER("GetEventIndicators", kSolved)
  if (CheckCount(instance, n, kModel.indicator_count, "GetEventIndicators") != fmi3OK) return fmi3Error;
  Indicators(instance, out);
  return fmi3OK;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance component, fmi3Float64 out[], size_t n) {
  ENTER("GetContinuousStates", kSolved)
  if (CheckCount(instance, n, StateCount(instance), "GetContinuousStates") != fmi3OK) return fmi3Error;
  for (size_t i = 0; i < n; ++i) out[i] = *StateAt(instance, (int)i);
  return fmi3OK;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance component, fmi3Float64 out[], size_t n) {
  ENTER("GetNominalsOfContinuousStates", kSolved)
  for (size_t i = 0; i < n; ++i) out[i] = 1.0;
  return CheckCount(instance, n, StateCount(instance), "GetNominalsOfContinuousStates");
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance component, size_t* n) {
  ENTER("GetNumberOfEventIndicators", kSolved)
  *n = (size_t)kModel.indicator_count;
  return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance component, size_t* n) {
  ENTER("GetNumberOfContinuousStates", kSolved)
  *n = (size_t)StateCount(instance);
  return fmi3OK;
}

fmi3Status fmi3EnterStepMode(fmi3Instance component) {
  ENTER("EnterStepMode", MODE(kEventMode))
  if (instance->core->exchange) return fmi3Error;
  instance->core->mode = kStepMode;
  return fmi3OK;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance component, const fmi3ValueReference vr[], size_t n,
                                    const fmi3Int32 orders[], fmi3Float64 values[], size_t n_values) {
  ENTER("GetOutputDerivatives", MODE(kStepMode) | MODE(kTerminated))
  if (n != n_values) return TooMany(instance, "GetOutputDerivatives");
  for (size_t i = 0; i < n; ++i) {
    const Status status = OutputSlope(instance, vr[i], orders[i], &values[i]);
    if (status >= kDiscard) return (fmi3Status)status;
  }
  return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance component, fmi3Float64 current, fmi3Float64 step, fmi3Boolean no_set_prior,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_time) {
  ENTER("DoStep", MODE(kStepMode))
  GiveUpReturn(instance, no_set_prior);
  const Status status = Step(instance, current, step, event_needed, early_return);
  *terminate = instance->core->terminate;
  *last_time = instance->core->last_successful;
  return (fmi3Status)status;
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance component, fmi3ValueReference clock, fmi3Float64 time) {
  ENTER("ActivateModelPartition", MODE(kClockActivation))
  return (fmi3Status)ActivatePartition(instance, clock, time);
}
