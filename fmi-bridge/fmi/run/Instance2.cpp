// Instances of FMI 2.0.
#include <algorithm>
#include <cstdarg>
#include <cstdlib>

#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/run/InstanceParts.hpp"

namespace openmi::fmi {

namespace {

// The functions by their names in the standard, without prefix.
#define OPENMI_FMI2_FUNCTIONS(X)   \
  X(Instantiate)                   \
  X(FreeInstance)                  \
  X(SetDebugLogging)               \
  X(SetupExperiment)               \
  X(EnterInitializationMode)       \
  X(ExitInitializationMode)        \
  X(Terminate)                     \
  X(Reset)                         \
  X(GetReal)                       \
  X(GetInteger)                    \
  X(GetBoolean)                    \
  X(GetString)                     \
  X(SetReal)                       \
  X(SetInteger)                    \
  X(SetBoolean)                    \
  X(SetString)                     \
  X(GetDirectionalDerivative)      \
  X(EnterEventMode)                \
  X(NewDiscreteStates)             \
  X(EnterContinuousTimeMode)       \
  X(CompletedIntegratorStep)       \
  X(SetTime)                       \
  X(SetContinuousStates)           \
  X(GetEventIndicators)            \
  X(GetContinuousStates)           \
  X(GetNominalsOfContinuousStates) \
  X(SetRealInputDerivatives)       \
  X(GetRealOutputDerivatives)      \
  X(DoStep)                        \
  X(GetRealStatus)                 \
  X(GetBooleanStatus)
// Functions with another name in 3.0: that name first, then the name in 2.0.
#define OPENMI_FMI2_RENAMED_FUNCTIONS(X)            \
  X(GetFMUState, GetFMUstate)                       \
  X(SetFMUState, SetFMUstate)                       \
  X(FreeFMUState, FreeFMUstate)                     \
  X(SerializedFMUStateSize, SerializedFMUstateSize) \
  X(SerializeFMUState, SerializeFMUstate)           \
  X(DeserializeFMUState, DeSerializeFMUstate)       \
  X(GetContinuousStateDerivatives, GetDerivatives)

struct Functions {
  using Component = fmi2Component;
  using String = fmi2String;
  using Byte = fmi2Byte;
  explicit Functions(const FmuLibrary& library) {
#define X(Name) Name.Find(library, "fmi2" #Name);
    OPENMI_FMI2_FUNCTIONS(X)
#undef X
#define X(Member, Name) Member.Find(library, "fmi2" #Name);
    OPENMI_FMI2_RENAMED_FUNCTIONS(X)
#undef X
  }
  decltype(auto) Of(VariableType type, auto&& work) const {
    return OfThreeTypes(*this, type, work);
  }
#define X(Name) Function<fmi2##Name##TYPE> Name;
  OPENMI_FMI2_FUNCTIONS(X)
#undef X
#define X(Member, Name) Function<fmi2##Name##TYPE> Member;
  OPENMI_FMI2_RENAMED_FUNCTIONS(X)
#undef X
};

#define X(Name) "fmi2" #Name,
#define Y(Member, Name) "fmi2" #Name,
constexpr const char* kCalled[] = {OPENMI_FMI2_FUNCTIONS(X) OPENMI_FMI2_RENAMED_FUNCTIONS(Y)};
#undef X
#undef Y

void Log(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
         fmi2String message, ...) {
  std::shared_ptr<CallbackTarget> target = CallbackKey::Find(environment);
  if (target == nullptr) target = CallbackKey::FindNamed(instance);  // some FMUs return another pointer
  if (target == nullptr) return;
  va_list arguments;
  va_start(arguments, message);
  target->LogFormatted(static_cast<CallStatus>(status), category, message, arguments);
  va_end(arguments);
}

using Base = WithStates<WithOldValues<InstanceOf<Functions>, Functions>, Functions>;

class Instance2 final : public Base {
 public:
  Instance2(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
            const ModelDescription& description, InstanceOptions options)
      : Base(std::move(library), folder, description, std::move(options)) {
    callbacks_ = {.logger = Log,
                  .allocateMemory = std::calloc,
                  .freeMemory = std::free,
                  .stepFinished = nullptr,
                  .componentEnvironment = Environment()};
    component_ = Need(functions_.Instantiate.address, functions_.Instantiate.name)(
        options_.name.c_str(), options_.kind == InterfaceKind::ModelExchange ? fmi2ModelExchange : fmi2CoSimulation,
        description.token.c_str(), UriOf(folder_ / "resources").c_str(), &callbacks_, fmi2False,
        options_.logging ? fmi2True : fmi2False);
    Made(component_ != nullptr);
    ChooseCategories();
  }
  ~Instance2() override { Close(); }

  CallStatus DoStep(double from, double step, bool no_return, StepResult& result) override {
    result = {};
    const CallStatus status = Ask(functions_.DoStep, true, from, step, fmi2Boolean{no_return ? 1 : 0});
    RequireNoProblem();
    if (status != CallStatus::Discard) return status;
    // The FMU completed only a part of the step; if it does not report how much, none of it. One that ends the
    // simulation and does not report that has completed the step.
    result.terminate = StatusOf(functions_.GetBooleanStatus, fmi2Terminated, fmi2Boolean{fmi2False}) != fmi2False;
    result.last_time =
        StatusOf(functions_.GetRealStatus, fmi2LastSuccessfulTime, result.terminate ? from + step : from);
    return status;
  }
  EventInfo UpdateDiscreteStates() override {
    fmi2EventInfo info{};
    Call(functions_.NewDiscreteStates, &info);
    return {.again = info.newDiscreteStatesNeeded != 0,
            .terminate = info.terminateSimulation != 0,
            .nominals_changed = info.nominalsOfContinuousStatesChanged != 0,
            .states_changed = info.valuesOfContinuousStatesChanged != 0,
            .has_next_time = info.nextEventTimeDefined != 0,
            .next_time = info.nextEventTime};
  }
  void CompletedStep(bool no_return, bool& enter_event_mode, bool& terminate) override {
    fmi2Boolean enter = fmi2False;
    fmi2Boolean end = fmi2False;
    Call(functions_.CompletedIntegratorStep, fmi2Boolean{no_return ? 1 : 0}, &enter, &end);
    enter_event_mode = enter != 0;
    terminate = end != 0;
  }
  std::size_t StateCount() override { return description_->structure.derivatives.size(); }
  std::size_t IndicatorCount() override { return description_->event_indicators; }
  void DirectionalDerivative(std::span<const ValueReference> unknowns, std::span<const ValueReference> knowns,
                             std::span<const double> seed, std::span<double> sensitivity) override {
    Call(functions_.GetDirectionalDerivative, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
         seed.data(), sensitivity.data());
  }

 private:
  void OnSetUp(const Experiment& experiment) override {
    Call(functions_.SetupExperiment, fmi2Boolean{experiment.tolerance ? 1 : 0}, experiment.tolerance.value_or(0.0),
         experiment.start, fmi2Boolean{experiment.stop ? 1 : 0}, experiment.stop.value_or(0.0));
  }
  void OnEnterInitialization(const Experiment&) override { Call(functions_.EnterInitializationMode); }
  void OnEnterStepMode() override { NotInThisVersion("step mode"); }

  fmi2CallbackFunctions callbacks_{};
};

}  // namespace

std::span<const char* const> FunctionsCalled2() {
  return kCalled;
}

std::unique_ptr<Instance> MakeInstance2(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options) {
  return std::make_unique<Instance2>(std::move(library), folder, description, std::move(options));
}

}  // namespace openmi::fmi
