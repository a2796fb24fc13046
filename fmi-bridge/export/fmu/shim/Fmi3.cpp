// The functions of FMI 3.0 over an Instance.
#include "fmi-bridge/fmi/abi/Fmi3.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "fmi-bridge/export/fmu/shim/Instance.hpp"
#include "fmi-bridge/export/fmu/shim/ResourcePath.hpp"
#include "fmi-bridge/fmi/abi/Fmi3Functions.h"

namespace {

using openmi::exported::VariableType;
using openmi::fmu::Instance;
using openmi::fmu::Outcome;

fmi3Status Status(Outcome outcome) {
  return static_cast<fmi3Status>(outcome);  // same numbers
}

/// Calls `work` with the instance; no exception leaves the library.
template <class Work>
fmi3Status With(fmi3Instance handle, Work&& work) noexcept {
  if (handle == nullptr) return fmi3Error;
  try {
    return Status(work(*static_cast<Instance*>(handle)));
  } catch (...) {
    return fmi3Error;
  }
}

fmi3Status Refused(fmi3Instance handle, const char* function) {
  return With(handle, [&](Instance& instance) { return instance.RefuseFunction(function); });
}

fmi3Instance RefusedKind(fmi3InstanceEnvironment environment, fmi3LogMessageCallback message_to, const char* problem) {
  if (message_to != nullptr) message_to(environment, fmi3Error, "logStatusError", problem);
  return nullptr;
}

template <class Number>
fmi3Status GetNumbers(fmi3Instance handle, VariableType type, const fmi3ValueReference references[], size_t count,
                      Number values[], size_t size) {
  return With(handle, [&](Instance& instance) {
    bool fits = true;
    const Outcome outcome = instance.Get(type, references, count, size, true, [&](std::size_t i, double value) {
      if constexpr (std::numeric_limits<Number>::is_integer && !std::is_same_v<Number, bool>) {
        constexpr double kEnd = 9223372036854775808.0;  // 2^63
        fits = fits && value >= -kEnd && value < kEnd;
        values[i] = fits ? static_cast<Number>(value) : Number{};
      } else if constexpr (std::is_same_v<Number, bool>) {
        values[i] = value != 0.0;
      } else {
        values[i] = value;
      }
    });
    return fits ? outcome : instance.Refuse("expected whole numbers, found a missing one");
  });
}

template <class Number>
fmi3Status SetNumbers(fmi3Instance handle, VariableType type, const fmi3ValueReference references[], size_t count,
                      const Number values[], size_t size) {
  return With(handle, [&](Instance& instance) {
    return instance.Set(type, references, count, size, true,
                        [&](std::size_t i) { return static_cast<double>(values[i]); });
  });
}

}  // namespace

const char* fmi3GetVersion(void) {
  return "3.0";
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String path, fmi3Boolean,
                                         fmi3Boolean logging, fmi3Boolean event_mode, fmi3Boolean,
                                         const fmi3ValueReference[], size_t intermediate,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback message_to,
                                         fmi3IntermediateUpdateCallback) {
  try {
    Instance::Log log;
    if (message_to != nullptr) {
      log = [environment, message_to](Outcome outcome, const char* category, const char* message) {
        message_to(environment, Status(outcome), category, message);
      };
    }
    if (event_mode || intermediate > 0) {
      if (log) {
        log(Outcome::Error, "logStatusError",
            "expected an instance without event mode and intermediate update, found one that wants them; this FMU "
            "declares neither");
      }
      return nullptr;
    }
    return Instance::Make(token != nullptr ? token : "", openmi::fmu::FolderOfPath(path), logging, std::move(log))
        .release();
  } catch (...) {
    return nullptr;
  }
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback message_to) {
  return RefusedKind(environment, message_to, "expected co-simulation, found model exchange, which this FMU has not");
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback message_to,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  return RefusedKind(environment, message_to,
                     "expected co-simulation, found scheduled execution, which this FMU has not");
}

void fmi3FreeInstance(fmi3Instance handle) {
  delete static_cast<Instance*>(handle);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance handle, fmi3Boolean on, size_t, const fmi3String[]) {
  return With(handle, [&](Instance& instance) {
    instance.SetReportsAll(on);
    return Outcome::Ok;
  });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, fmi3Boolean, fmi3Float64, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop) {
  return With(handle, [&](Instance& instance) {
    const Outcome outcome = instance.Setup(start, has_stop, stop);
    return outcome == Outcome::Ok ? instance.EnterInitialization() : outcome;
  });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance handle) {
  return With(handle, [](Instance& instance) { return instance.ExitInitialization(); });
}

fmi3Status fmi3Terminate(fmi3Instance handle) {
  return With(handle, [](Instance& instance) { return instance.Terminate(); });
}

fmi3Status fmi3Reset(fmi3Instance handle) {
  return With(handle, [](Instance& instance) { return instance.Reset(); });
}

#define OPENMI_NUMBERS(type)                                                                         \
  fmi3Status fmi3Get##type(fmi3Instance handle, const fmi3ValueReference references[], size_t count, \
                           fmi3##type values[], size_t size) {                                       \
    return GetNumbers(handle, VariableType::type, references, count, values, size);                  \
  }                                                                                                  \
  fmi3Status fmi3Set##type(fmi3Instance handle, const fmi3ValueReference references[], size_t count, \
                           const fmi3##type values[], size_t size) {                                 \
    return SetNumbers(handle, VariableType::type, references, count, values, size);                  \
  }
OPENMI_NUMBERS(Float64)
OPENMI_NUMBERS(Int64)
OPENMI_NUMBERS(Boolean)

fmi3Status fmi3GetString(fmi3Instance handle, const fmi3ValueReference references[], size_t count, fmi3String values[],
                         size_t size) {
  return With(handle, [&](Instance& instance) {
    if (size != count) return instance.Refuse("expected room for one text a variable, found another");
    return instance.GetTexts(references, count, values);
  });
}

fmi3Status fmi3SetString(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                         const fmi3String values[], size_t size) {
  return With(handle, [&](Instance& instance) {
    if (size != count) return instance.Refuse("expected one text a variable, found another number");
    return instance.SetTexts(references, count, values);
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance handle, fmi3FMUState* state) {
  return With(handle, [&](Instance& instance) { return instance.SaveState(state); });
}

fmi3Status fmi3SetFMUState(fmi3Instance handle, fmi3FMUState state) {
  return With(handle, [&](Instance& instance) { return instance.RestoreState(state); });
}

fmi3Status fmi3FreeFMUState(fmi3Instance handle, fmi3FMUState* state) {
  return With(handle, [&](Instance& instance) { return instance.FreeState(state); });
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance handle, fmi3FMUState state, size_t* size) {
  return With(handle, [&](Instance& instance) { return instance.StateSize(state, size); });
}

fmi3Status fmi3SerializeFMUState(fmi3Instance handle, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
  return With(handle,
              [&](Instance& instance) { return instance.StateToBytes(state, reinterpret_cast<char*>(bytes), size); });
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance handle, const fmi3Byte bytes[], size_t size, fmi3FMUState* state) {
  return With(handle, [&](Instance& instance) {
    return instance.BytesToState(reinterpret_cast<const char*>(bytes), size, state);
  });
}

fmi3Status fmi3DoStep(fmi3Instance handle, fmi3Float64 time, fmi3Float64 step, fmi3Boolean, fmi3Boolean* event,
                      fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* last) {
  return With(handle, [&](Instance& instance) {
    const Outcome outcome = instance.Step(time, step);
    if (event != nullptr) *event = false;
    if (terminate != nullptr) *terminate = false;
    if (early != nullptr) *early = false;
    if (last != nullptr) *last = instance.Time();
    return outcome;
  });
}

// Functions that this FMU declares as unsupported.

#define OPENMI_NO_VARIABLE(function, ...)                                                           \
  fmi3Status function(fmi3Instance handle, const fmi3ValueReference[], size_t count, __VA_ARGS__) { \
    return count == 0 ? fmi3OK : Refused(handle, #function); /* of a type that no variable has */   \
  }
#define OPENMI_NO_VARIABLES(type)                         \
  OPENMI_NO_VARIABLE(fmi3Get##type, fmi3##type[], size_t) \
  OPENMI_NO_VARIABLE(fmi3Set##type, const fmi3##type[], size_t)
#define OPENMI_REFUSED(function, ...)                                   \
  fmi3Status function(fmi3Instance handle __VA_OPT__(, ) __VA_ARGS__) { \
    return Refused(handle, #function);                                  \
  }
OPENMI_NO_VARIABLES(Float32)
OPENMI_NO_VARIABLES(Int8)
OPENMI_NO_VARIABLES(UInt8)
OPENMI_NO_VARIABLES(Int16)
OPENMI_NO_VARIABLES(UInt16)
OPENMI_NO_VARIABLES(Int32)
OPENMI_NO_VARIABLES(UInt32)
OPENMI_NO_VARIABLES(UInt64)
OPENMI_NO_VARIABLE(fmi3GetBinary, size_t[], fmi3Binary[], size_t)
OPENMI_NO_VARIABLE(fmi3SetBinary, const size_t[], const fmi3Binary[], size_t)
OPENMI_NO_VARIABLE(fmi3GetClock, fmi3Clock[])
OPENMI_NO_VARIABLE(fmi3SetClock, const fmi3Clock[])
OPENMI_NO_VARIABLE(fmi3GetIntervalDecimal, fmi3Float64[], fmi3IntervalQualifier[])
OPENMI_NO_VARIABLE(fmi3GetIntervalFraction, fmi3UInt64[], fmi3UInt64[], fmi3IntervalQualifier[])
OPENMI_NO_VARIABLE(fmi3GetShiftDecimal, fmi3Float64[])
OPENMI_NO_VARIABLE(fmi3GetShiftFraction, fmi3UInt64[], fmi3UInt64[])
OPENMI_NO_VARIABLE(fmi3SetIntervalDecimal, const fmi3Float64[])
OPENMI_NO_VARIABLE(fmi3SetIntervalFraction, const fmi3UInt64[], const fmi3UInt64[])
OPENMI_NO_VARIABLE(fmi3SetShiftDecimal, const fmi3Float64[])
OPENMI_NO_VARIABLE(fmi3SetShiftFraction, const fmi3UInt64[], const fmi3UInt64[])
OPENMI_NO_VARIABLE(fmi3GetOutputDerivatives, const fmi3Int32[], fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetNumberOfVariableDependencies, fmi3ValueReference, size_t*)
OPENMI_REFUSED(fmi3GetVariableDependencies, fmi3ValueReference, size_t[], fmi3ValueReference[], size_t[],
               fmi3DependencyKind[], size_t)
OPENMI_REFUSED(fmi3GetDirectionalDerivative, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t,
               const fmi3Float64[], size_t, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetAdjointDerivative, const fmi3ValueReference[], size_t, const fmi3ValueReference[], size_t,
               const fmi3Float64[], size_t, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3EnterConfigurationMode)
OPENMI_REFUSED(fmi3ExitConfigurationMode)
OPENMI_REFUSED(fmi3EvaluateDiscreteStates)
OPENMI_REFUSED(fmi3UpdateDiscreteStates, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
               fmi3Float64*)
OPENMI_REFUSED(fmi3EnterEventMode)
OPENMI_REFUSED(fmi3EnterContinuousTimeMode)
OPENMI_REFUSED(fmi3CompletedIntegratorStep, fmi3Boolean, fmi3Boolean*, fmi3Boolean*)
OPENMI_REFUSED(fmi3SetTime, fmi3Float64)
OPENMI_REFUSED(fmi3SetContinuousStates, const fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetContinuousStateDerivatives, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetEventIndicators, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetContinuousStates, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetNominalsOfContinuousStates, fmi3Float64[], size_t)
OPENMI_REFUSED(fmi3GetNumberOfEventIndicators, size_t*)
OPENMI_REFUSED(fmi3GetNumberOfContinuousStates, size_t*)
OPENMI_REFUSED(fmi3EnterStepMode)
OPENMI_REFUSED(fmi3ActivateModelPartition, fmi3ValueReference, fmi3Float64)
