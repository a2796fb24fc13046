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

/// For types that no variable of this FMU has: succeeds only for zero variables.
fmi3Status OfNoVariable(fmi3Instance handle, size_t count, const char* function) {
  return count == 0 ? fmi3OK : Refused(handle, function);
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
  if (message_to != nullptr) {
    message_to(environment, fmi3Error, "logStatusError",
               "expected co-simulation, found model exchange, which this FMU has not");
  }
  return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback message_to,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  if (message_to != nullptr) {
    message_to(environment, fmi3Error, "logStatusError",
               "expected co-simulation, found scheduled execution, which this FMU has not");
  }
  return nullptr;
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

fmi3Status fmi3GetFloat64(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                          fmi3Float64 values[], size_t size) {
  return GetNumbers(handle, VariableType::Float64, references, count, values, size);
}

fmi3Status fmi3SetFloat64(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                          const fmi3Float64 values[], size_t size) {
  return SetNumbers(handle, VariableType::Float64, references, count, values, size);
}

fmi3Status fmi3GetInt64(fmi3Instance handle, const fmi3ValueReference references[], size_t count, fmi3Int64 values[],
                        size_t size) {
  return GetNumbers(handle, VariableType::Int64, references, count, values, size);
}

fmi3Status fmi3SetInt64(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                        const fmi3Int64 values[], size_t size) {
  return SetNumbers(handle, VariableType::Int64, references, count, values, size);
}

fmi3Status fmi3GetBoolean(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                          fmi3Boolean values[], size_t size) {
  return GetNumbers(handle, VariableType::Boolean, references, count, values, size);
}

fmi3Status fmi3SetBoolean(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                          const fmi3Boolean values[], size_t size) {
  return SetNumbers(handle, VariableType::Boolean, references, count, values, size);
}

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

#define OPENMI_NO_VARIABLES(type)                                                                                 \
  fmi3Status fmi3Get##type(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3##type[], size_t) { \
    return OfNoVariable(handle, count, "fmi3Get" #type);                                                          \
  }                                                                                                               \
  fmi3Status fmi3Set##type(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3##type[],     \
                           size_t) {                                                                              \
    return OfNoVariable(handle, count, "fmi3Set" #type);                                                          \
  }
OPENMI_NO_VARIABLES(Float32)
OPENMI_NO_VARIABLES(Int8)
OPENMI_NO_VARIABLES(UInt8)
OPENMI_NO_VARIABLES(Int16)
OPENMI_NO_VARIABLES(UInt16)
OPENMI_NO_VARIABLES(Int32)
OPENMI_NO_VARIABLES(UInt32)
OPENMI_NO_VARIABLES(UInt64)
#undef OPENMI_NO_VARIABLES

fmi3Status fmi3GetBinary(fmi3Instance handle, const fmi3ValueReference[], size_t count, size_t[], fmi3Binary[],
                         size_t) {
  return OfNoVariable(handle, count, "fmi3GetBinary");
}

fmi3Status fmi3SetBinary(fmi3Instance handle, const fmi3ValueReference[], size_t count, const size_t[],
                         const fmi3Binary[], size_t) {
  return OfNoVariable(handle, count, "fmi3SetBinary");
}

fmi3Status fmi3GetClock(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3Clock[]) {
  return OfNoVariable(handle, count, "fmi3GetClock");
}

fmi3Status fmi3SetClock(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3Clock[]) {
  return OfNoVariable(handle, count, "fmi3SetClock");
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3Float64[],
                                  fmi3IntervalQualifier[]) {
  return OfNoVariable(handle, count, "fmi3GetIntervalDecimal");
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3UInt64[],
                                   fmi3UInt64[], fmi3IntervalQualifier[]) {
  return OfNoVariable(handle, count, "fmi3GetIntervalFraction");
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3Float64[]) {
  return OfNoVariable(handle, count, "fmi3GetShiftDecimal");
}

fmi3Status fmi3GetShiftFraction(fmi3Instance handle, const fmi3ValueReference[], size_t count, fmi3UInt64[],
                                fmi3UInt64[]) {
  return OfNoVariable(handle, count, "fmi3GetShiftFraction");
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3Float64[]) {
  return OfNoVariable(handle, count, "fmi3SetIntervalDecimal");
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3UInt64[],
                                   const fmi3UInt64[]) {
  return OfNoVariable(handle, count, "fmi3SetIntervalFraction");
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3Float64[]) {
  return OfNoVariable(handle, count, "fmi3SetShiftDecimal");
}

fmi3Status fmi3SetShiftFraction(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3UInt64[],
                                const fmi3UInt64[]) {
  return OfNoVariable(handle, count, "fmi3SetShiftFraction");
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance handle, const fmi3ValueReference[], size_t count, const fmi3Int32[],
                                    fmi3Float64[], size_t) {
  return OfNoVariable(handle, count, "fmi3GetOutputDerivatives");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance handle, fmi3ValueReference, size_t*) {
  return Refused(handle, "fmi3GetNumberOfVariableDependencies");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance handle, fmi3ValueReference, size_t[], fmi3ValueReference[],
                                       size_t[], fmi3DependencyKind[], size_t) {
  return Refused(handle, "fmi3GetVariableDependencies");
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance handle, const fmi3ValueReference[], size_t,
                                        const fmi3ValueReference[], size_t, const fmi3Float64[], size_t, fmi3Float64[],
                                        size_t) {
  return Refused(handle, "fmi3GetDirectionalDerivative");
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance handle, const fmi3ValueReference[], size_t, const fmi3ValueReference[],
                                    size_t, const fmi3Float64[], size_t, fmi3Float64[], size_t) {
  return Refused(handle, "fmi3GetAdjointDerivative");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance handle) {
  return Refused(handle, "fmi3EnterConfigurationMode");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance handle) {
  return Refused(handle, "fmi3ExitConfigurationMode");
}

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance handle) {
  return Refused(handle, "fmi3EvaluateDiscreteStates");
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance handle, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
  return Refused(handle, "fmi3UpdateDiscreteStates");
}

fmi3Status fmi3EnterEventMode(fmi3Instance handle) {
  return Refused(handle, "fmi3EnterEventMode");
}

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance handle) {
  return Refused(handle, "fmi3EnterContinuousTimeMode");
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance handle, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return Refused(handle, "fmi3CompletedIntegratorStep");
}

fmi3Status fmi3SetTime(fmi3Instance handle, fmi3Float64) {
  return Refused(handle, "fmi3SetTime");
}

fmi3Status fmi3SetContinuousStates(fmi3Instance handle, const fmi3Float64[], size_t) {
  return Refused(handle, "fmi3SetContinuousStates");
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance handle, fmi3Float64[], size_t) {
  return Refused(handle, "fmi3GetContinuousStateDerivatives");
}

fmi3Status fmi3GetEventIndicators(fmi3Instance handle, fmi3Float64[], size_t) {
  return Refused(handle, "fmi3GetEventIndicators");
}

fmi3Status fmi3GetContinuousStates(fmi3Instance handle, fmi3Float64[], size_t) {
  return Refused(handle, "fmi3GetContinuousStates");
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance handle, fmi3Float64[], size_t) {
  return Refused(handle, "fmi3GetNominalsOfContinuousStates");
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance handle, size_t*) {
  return Refused(handle, "fmi3GetNumberOfEventIndicators");
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance handle, size_t*) {
  return Refused(handle, "fmi3GetNumberOfContinuousStates");
}

fmi3Status fmi3EnterStepMode(fmi3Instance handle) {
  return Refused(handle, "fmi3EnterStepMode");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance handle, fmi3ValueReference, fmi3Float64) {
  return Refused(handle, "fmi3ActivateModelPartition");
}
