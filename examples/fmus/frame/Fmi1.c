/* The interface of FMI 1.0 for co-simulation over Instance.c. FMI1_PREFIX is the model identifier. */
#include "fmi-bridge/fmi/abi/Fmi1.h"

#include <stdio.h>
#include <string.h>

#include "Model.h"

#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define NAME(function) JOIN(FMI1_PREFIX, function)
#define EXPORT __attribute__((visibility("default")))

#define ENTER(call, modes)                               \
  Instance* instance = component;                        \
  {                                                      \
    const Status entered = Enter(instance, call, modes); \
    if (entered >= kDiscard) return (fmiStatus)entered;  \
  }

static void Tell(Instance* instance, Status status, const char* category, const char* message) {
  const fmiCallbackLogger logger = (fmiCallbackLogger)instance->callback;
  logger(instance, instance->name, (fmiStatus)status, category, "%s", message);
}

EXPORT const char* NAME(fmiGetTypesPlatform)(void) {
  return "standard32";
}

EXPORT const char* NAME(fmiGetVersion)(void) {
  return "1.0";
}

EXPORT fmiComponent NAME(fmiInstantiateSlave)(fmiString name, fmiString guid, fmiString location, fmiString mime,
                                              fmiReal timeout, fmiBoolean visible, fmiBoolean interactive,
                                              fmiCallbackFunctions functions, fmiBoolean logging) {
  (void)mime, (void)timeout, (void)visible, (void)interactive;
  if (functions.logger == NULL) return NULL;
  const char* path = location == NULL ? "" : strncmp(location, "file://", 7) == 0 ? location + 7 : location;
  if (path[0] == '/' && path[1] != '\0' && path[2] == ':') ++path; /* of Windows: file:///Z:/a */
  char resources[4096];
  snprintf(resources, sizeof resources, "%s/resources", path);
  Instance* instance = MakeInstance(1, name, guid, resources, logging != 0);
  if (instance == NULL) {
    functions.logger(NULL, name, fmiError, "error", "wrong name or GUID, or out of memory");
    return NULL;
  }
  instance->callback = (void (*)(void))functions.logger;
  instance->log = Tell;
  if (Enter(instance, "InstantiateSlave", kAnyMode) >= kDiscard) {
    FreeInstance(instance);
    return NULL;
  }
  return instance;
}

EXPORT void NAME(fmiFreeSlaveInstance)(fmiComponent component) {
  FreeInstance(component);
}

EXPORT fmiStatus NAME(fmiSetDebugLogging)(fmiComponent component, fmiBoolean on) {
  ENTER("SetDebugLogging", kAnyMode)
  instance->logging = on != 0;
  return fmiOK;
}

EXPORT fmiStatus NAME(fmiInitializeSlave)(fmiComponent component, fmiReal start, fmiBoolean has_stop, fmiReal stop) {
  ENTER("InitializeSlave", MODE(kInstantiated))
  const Status status = StartInitialization(instance, start, has_stop != 0, stop);
  return (fmiStatus)(status >= kDiscard ? status : EndInitialization(instance));
}

EXPORT fmiStatus NAME(fmiTerminateSlave)(fmiComponent component) {
  ENTER("TerminateSlave", MODE(kStepMode))
  instance->core->mode = kTerminated;
  return fmiOK;
}

EXPORT fmiStatus NAME(fmiResetSlave)(fmiComponent component) {
  ENTER("ResetSlave", kAnyMode)
  ResetInstance(instance);
  return fmiOK;
}

static Type IntegerType(fmiValueReference reference) {
  return reference < (unsigned)kModel.variable_count && kModel.variables[reference].type == kEnumeration ? kEnumeration
                                                                                                         : kInt32;
}

#define GET(Name, Value, type, read)                                                                  \
  EXPORT fmiStatus NAME(fmiGet##Name)(fmiComponent component, const fmiValueReference vr[], size_t n, \
                                      Value values[]) {                                               \
    ENTER("Get" #Name, kAnyMode & ~MODE(kInstantiated))                                               \
    for (size_t i = 0; i < n; ++i) {                                                                  \
      const Status status = MayGet(instance, vr[i], type, "Get" #Name);                               \
      if (status >= kDiscard) return (fmiStatus)status;                                               \
      values[i] = read;                                                                               \
    }                                                                                                 \
    return fmiOK;                                                                                     \
  }
#define SET(Name, Value, type, write)                                                                 \
  EXPORT fmiStatus NAME(fmiSet##Name)(fmiComponent component, const fmiValueReference vr[], size_t n, \
                                      const Value values[]) {                                         \
    ENTER("Set" #Name, kAnyMode & ~MODE(kTerminated))                                                 \
    for (size_t i = 0; i < n; ++i) {                                                                  \
      const Status status = MaySet(instance, vr[i], type, "Set" #Name);                               \
      if (status >= kDiscard) return (fmiStatus)status;                                               \
      write;                                                                                          \
    }                                                                                                 \
    return fmiOK;                                                                                     \
  }

static int ReadInteger(Instance* instance, fmiValueReference vr) {
  return IntegerType(vr) == kEnumeration ? (int)*(int64_t*)ValueAt(instance, vr) : *(int32_t*)ValueAt(instance, vr);
}

static void WriteInteger(Instance* instance, fmiValueReference vr, int value) {
  if (IntegerType(vr) == kEnumeration) {
    *(int64_t*)ValueAt(instance, vr) = value;
  } else {
    *(int32_t*)ValueAt(instance, vr) = value;
  }
}

GET(Real, fmiReal, kFloat64, *(double*)ValueAt(instance, vr[i]))
GET(Integer, fmiInteger, IntegerType(vr[i]), ReadInteger(instance, vr[i]))
GET(Boolean, fmiBoolean, kBoolean, *(bool*)ValueAt(instance, vr[i]) ? 1 : 0)
GET(String, fmiString, kString, (const char*)ValueAt(instance, vr[i]))
SET(Real, fmiReal, kFloat64, *(double*)ValueAt(instance, vr[i]) = values[i])
SET(Integer, fmiInteger, IntegerType(vr[i]), WriteInteger(instance, vr[i], values[i]))
SET(Boolean, fmiBoolean, kBoolean, *(bool*)ValueAt(instance, vr[i]) = values[i] != 0)
SET(String, fmiString, kString, snprintf(ValueAt(instance, vr[i]), sizeof(Text), "%s", values[i]))

EXPORT fmiStatus NAME(fmiSetRealInputDerivatives)(fmiComponent component, const fmiValueReference vr[], size_t n,
                                                  const fmiInteger order[], const fmiReal values[]) {
  ENTER("SetRealInputDerivatives", MODE(kStepMode))
  for (size_t i = 0; i < n; ++i) {
    const Status status = SetInputSlope(instance, vr[i], order[i], values[i]);
    if (status >= kDiscard) return (fmiStatus)status;
  }
  return fmiOK;
}

EXPORT fmiStatus NAME(fmiGetRealOutputDerivatives)(fmiComponent component, const fmiValueReference vr[], size_t n,
                                                   const fmiInteger order[], fmiReal values[]) {
  ENTER("GetRealOutputDerivatives", MODE(kStepMode) | MODE(kTerminated))
  for (size_t i = 0; i < n; ++i) {
    const Status status = OutputSlope(instance, vr[i], order[i], &values[i]);
    if (status >= kDiscard) return (fmiStatus)status;
  }
  return fmiOK;
}

EXPORT fmiStatus NAME(fmiDoStep)(fmiComponent component, fmiReal current, fmiReal step, fmiBoolean new_step) {
  (void)new_step;
  ENTER("DoStep", MODE(kStepMode))
  bool event_needed = false;
  bool early = false;
  if (instance->core->terminate) return fmiDiscard;
  const Status status = Step(instance, current, step, &event_needed, &early);
  return status < kDiscard && instance->core->terminate && early ? fmiDiscard : (fmiStatus)status;
}

EXPORT fmiStatus NAME(fmiCancelStep)(fmiComponent component) {
  (void)component;
  return fmiError;
}

EXPORT fmiStatus NAME(fmiGetStatus)(fmiComponent component, fmiStatusKind kind, fmiStatus* value) {
  (void)component, (void)kind, (void)value;
  return fmiDiscard;
}

EXPORT fmiStatus NAME(fmiGetRealStatus)(fmiComponent component, fmiStatusKind kind, fmiReal* value) {
  ENTER("GetRealStatus", kAnyMode)
  if (kind != fmiLastSuccessfulTime) return fmiDiscard;
  *value = instance->core->last_successful;
  return fmiOK;
}

EXPORT fmiStatus NAME(fmiGetIntegerStatus)(fmiComponent component, fmiStatusKind kind, fmiInteger* value) {
  (void)component, (void)kind, (void)value;
  return fmiDiscard;
}

EXPORT fmiStatus NAME(fmiGetBooleanStatus)(fmiComponent component, fmiStatusKind kind, fmiBoolean* value) {
  (void)component, (void)kind, (void)value;
  return fmiDiscard;
}

EXPORT fmiStatus NAME(fmiGetStringStatus)(fmiComponent component, fmiStatusKind kind, fmiString* value) {
  (void)component, (void)kind, (void)value;
  return fmiDiscard;
}
