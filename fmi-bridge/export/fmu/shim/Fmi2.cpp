// The functions of FMI 2.0 over an Instance.
#include "fmi-bridge/fmi/abi/Fmi2.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>

#include "fmi-bridge/export/fmu/shim/Instance.hpp"
#include "fmi-bridge/export/fmu/shim/ResourcePath.hpp"
#include "fmi-bridge/fmi/abi/Fmi2Functions.h"

namespace {

using openmi::exported::VariableType;
using openmi::fmu::Instance;
using openmi::fmu::Outcome;

/// The object that a fmi2Component points to.
struct Component {
  std::unique_ptr<Instance> instance;
};

fmi2Status Status(Outcome outcome) {
  return static_cast<fmi2Status>(outcome);  // same numbers
}

/// Calls `work` with the instance; no exception leaves the library.
template <class Work>
fmi2Status With(fmi2Component component, Work&& work) noexcept {
  if (component == nullptr) return fmi2Error;
  try {
    return Status(work(*static_cast<Component*>(component)->instance));
  } catch (...) {
    return fmi2Error;
  }
}

fmi2Status Refused(fmi2Component component, const char* function) {
  return With(component, [&](Instance& instance) { return instance.RefuseFunction(function); });
}

template <class Number>
fmi2Status GetNumbers(fmi2Component component, VariableType type, const fmi2ValueReference references[], size_t count,
                      Number values[]) {
  return With(component, [&](Instance& instance) {
    return instance.Get(type, references, count, count, false,
                        [&](std::size_t i, double value) { values[i] = static_cast<Number>(value); });
  });
}

template <class Number>
fmi2Status SetNumbers(fmi2Component component, VariableType type, const fmi2ValueReference references[], size_t count,
                      const Number values[]) {
  return With(component, [&](Instance& instance) {
    return instance.Set(type, references, count, count, false,
                        [&](std::size_t i) { return static_cast<double>(values[i]); });
  });
}

}  // namespace

const char* fmi2GetTypesPlatform(void) {
  return "default";
}

const char* fmi2GetVersion(void) {
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String location,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean logging) {
  try {
    const std::string instance_name = name != nullptr ? name : "";
    const fmi2CallbackLogger logger = callbacks != nullptr ? callbacks->logger : nullptr;
    const fmi2ComponentEnvironment environment = callbacks != nullptr ? callbacks->componentEnvironment : nullptr;
    Instance::Log log;
    if (logger != nullptr) {
      log = [instance_name, logger, environment](Outcome outcome, const char* category, const char* message) {
        logger(environment, instance_name.c_str(), Status(outcome), category, "%s", message);
      };
    }
    if (type != fmi2CoSimulation) {
      if (log)
        log(Outcome::Error, "logStatusError", "expected co-simulation, found model exchange, which this FMU has not");
      return nullptr;
    }
    auto component = std::make_unique<Component>();
    component->instance =
        Instance::Make(guid != nullptr ? guid : "", openmi::fmu::FolderOfUri(location), logging != 0, std::move(log));
    return component->instance != nullptr ? component.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component component) {
  delete static_cast<Component*>(component);
}

fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t, const fmi2String[]) {
  return With(component, [&](Instance& instance) {
    instance.SetReportsAll(on != 0);
    return Outcome::Ok;
  });
}

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean has_stop,
                               fmi2Real stop) {
  return With(component, [&](Instance& instance) { return instance.Setup(start, has_stop != 0, stop); });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
  return With(component, [](Instance& instance) { return instance.EnterInitialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
  return With(component, [](Instance& instance) { return instance.ExitInitialization(); });
}

fmi2Status fmi2Terminate(fmi2Component component) {
  return With(component, [](Instance& instance) { return instance.Terminate(); });
}

fmi2Status fmi2Reset(fmi2Component component) {
  return With(component, [](Instance& instance) { return instance.Reset(); });
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       fmi2Real values[]) {
  return GetNumbers(component, VariableType::Float64, references, count, values);
}

fmi2Status fmi2GetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Integer values[]) {
  return With(component, [&](Instance& instance) {
    bool fits = true;
    const Outcome outcome =
        instance.Get(VariableType::Int64, references, count, count, false, [&](std::size_t i, double value) {
          fits = fits && value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max();
          values[i] = fits ? static_cast<int>(value) : 0;
        });
    return fits ? outcome : instance.Refuse("expected whole numbers of 32 bits, found a larger or a missing one");
  });
}

fmi2Status fmi2GetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          fmi2Boolean values[]) {
  return With(component, [&](Instance& instance) {
    return instance.Get(VariableType::Boolean, references, count, count, false,
                        [&](std::size_t i, double value) { values[i] = value != 0.0 ? fmi2True : fmi2False; });
  });
}

fmi2Status fmi2GetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         fmi2String values[]) {
  return With(component, [&](Instance& instance) { return instance.GetTexts(references, count, values); });
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[]) {
  return SetNumbers(component, VariableType::Float64, references, count, values);
}

fmi2Status fmi2SetInteger(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Integer values[]) {
  return SetNumbers(component, VariableType::Int64, references, count, values);
}

fmi2Status fmi2SetBoolean(fmi2Component component, const fmi2ValueReference references[], size_t count,
                          const fmi2Boolean values[]) {
  return With(component, [&](Instance& instance) {
    return instance.Set(VariableType::Boolean, references, count, count, false,
                        [&](std::size_t i) { return values[i] != 0 ? 1.0 : 0.0; });
  });
}

fmi2Status fmi2SetString(fmi2Component component, const fmi2ValueReference references[], size_t count,
                         const fmi2String values[]) {
  return With(component, [&](Instance& instance) { return instance.SetTexts(references, count, values); });
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return With(component, [&](Instance& instance) { return instance.SaveState(state); });
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
  return With(component, [&](Instance& instance) { return instance.RestoreState(state); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate* state) {
  return With(component, [&](Instance& instance) { return instance.FreeState(state); });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t* size) {
  return With(component, [&](Instance& instance) { return instance.StateSize(state, size); });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
  return With(component, [&](Instance& instance) { return instance.StateToBytes(state, bytes, size); });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate* state) {
  return With(component, [&](Instance& instance) { return instance.BytesToState(bytes, size, state); });
}

fmi2Status fmi2DoStep(fmi2Component component, fmi2Real time, fmi2Real step, fmi2Boolean) {
  return With(component, [&](Instance& instance) { return instance.Step(time, step); });
}

fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind, fmi2Status*) {
  return Refused(component, "fmi2GetStatus");
}

fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime || value == nullptr) return Refused(component, "fmi2GetRealStatus");
  return With(component, [&](Instance& instance) {
    *value = instance.Time();
    return Outcome::Ok;
  });
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean* value) {
  if (kind != fmi2Terminated || value == nullptr) return Refused(component, "fmi2GetBooleanStatus");
  *value = fmi2False;
  return fmi2OK;
}

// Functions that this FMU declares as unsupported.

#define OPENMI_REFUSED(function, ...)                                       \
  fmi2Status function(fmi2Component component __VA_OPT__(, ) __VA_ARGS__) { \
    return Refused(component, #function);                                   \
  }
OPENMI_REFUSED(fmi2GetIntegerStatus, const fmi2StatusKind, fmi2Integer*)
OPENMI_REFUSED(fmi2GetStringStatus, const fmi2StatusKind, fmi2String*)
OPENMI_REFUSED(fmi2CancelStep)
OPENMI_REFUSED(fmi2SetRealInputDerivatives, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[])
OPENMI_REFUSED(fmi2GetRealOutputDerivatives, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[])
OPENMI_REFUSED(fmi2GetDirectionalDerivative, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t,
               const fmi2Real[], fmi2Real[])
OPENMI_REFUSED(fmi2EnterEventMode)
OPENMI_REFUSED(fmi2NewDiscreteStates, fmi2EventInfo*)
OPENMI_REFUSED(fmi2EnterContinuousTimeMode)
OPENMI_REFUSED(fmi2CompletedIntegratorStep, fmi2Boolean, fmi2Boolean*, fmi2Boolean*)
OPENMI_REFUSED(fmi2SetTime, fmi2Real)
OPENMI_REFUSED(fmi2SetContinuousStates, const fmi2Real[], size_t)
OPENMI_REFUSED(fmi2GetDerivatives, fmi2Real[], size_t)
OPENMI_REFUSED(fmi2GetEventIndicators, fmi2Real[], size_t)
OPENMI_REFUSED(fmi2GetContinuousStates, fmi2Real[], size_t)
OPENMI_REFUSED(fmi2GetNominalsOfContinuousStates, fmi2Real[], size_t)
