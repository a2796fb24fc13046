// Instances of FMI 2.0.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/run/Callbacks.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/LogText.hpp"

namespace openmi::fmi {

namespace {

// The functions by the names of the standard without their prefix.
#define OPENMI_FMI2_FUNCTIONS(X)                                                                                       \
  X(Instantiate)                                                                                                       \
  X(FreeInstance)                                                                                                      \
  X(SetupExperiment)                                                                                                   \
  X(EnterInitializationMode)                                                                                           \
  X(ExitInitializationMode) X(Terminate) X(Reset) X(GetReal) X(GetInteger) X(GetBoolean) X(GetString) X(SetReal)       \
      X(SetInteger) X(SetBoolean) X(SetString) X(GetFMUstate) X(SetFMUstate) X(FreeFMUstate) X(SerializedFMUstateSize) \
          X(SerializeFMUstate) X(DeSerializeFMUstate) X(GetDirectionalDerivative) X(EnterEventMode)                    \
              X(NewDiscreteStates) X(EnterContinuousTimeMode) X(CompletedIntegratorStep) X(SetTime)                    \
                  X(SetContinuousStates) X(GetDerivatives) X(GetEventIndicators) X(GetContinuousStates)                \
                      X(GetNominalsOfContinuousStates) X(SetRealInputDerivatives) X(GetRealOutputDerivatives)          \
                          X(DoStep) X(GetRealStatus) X(GetBooleanStatus)

struct Functions {
  explicit Functions(const FmuLibrary& library) {
#define X(Name) library.Find(Name, "fmi2" #Name);
    OPENMI_FMI2_FUNCTIONS(X)
#undef X
  }
#define X(Name) fmi2##Name##TYPE* Name = nullptr;
  OPENMI_FMI2_FUNCTIONS(X)
#undef X
};

// One call: looked up, made and judged.
#define CALL(Name, ...) Judge(Need(functions_.Name, "fmi2" #Name)(component_, ##__VA_ARGS__), "fmi2" #Name)

void Log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category, fmi2String message,
         ...) {
  if (environment == nullptr) return;
  char text[4096] = "";
  va_list arguments;
  va_start(arguments, message);
  if (message != nullptr) std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  auto& instance = *static_cast<Instance*>(environment);
  instance.Tell(static_cast<CallStatus>(status), category, NamesInText(text, instance.Description()).c_str());
}

class Instance2 final : public Instance {
 public:
  Instance2(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
            const ModelDescription& description, InstanceOptions options)
      : Instance(std::move(library), folder, description, std::move(options)), functions_(*library_) {
    callbacks_ = {.logger = Log,
                  .allocateMemory = std::calloc,
                  .freeMemory = std::free,
                  .stepFinished = nullptr,
                  .componentEnvironment = this};
    component_ = Need(functions_.Instantiate, "fmi2Instantiate")(
        options_.name.c_str(), options_.kind == InterfaceKind::ModelExchange ? fmi2ModelExchange : fmi2CoSimulation,
        description.token.c_str(), UriOf(folder_ / "resources").c_str(), &callbacks_, fmi2False,
        options_.logging ? fmi2True : fmi2False);
    Made(component_ != nullptr);
  }
  ~Instance2() override { Close(); }

  Native NativeOf(VariableType type) const override {
    return type == VariableType::Float64 ? Native::Float64 : Native::Int32;
  }

  void Get(VariableType type, std::span<const ValueReference> vr, void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        CALL(GetReal, vr.data(), vr.size(), static_cast<fmi2Real*>(values));
        return;
      case VariableType::Boolean:
        CALL(GetBoolean, vr.data(), vr.size(), static_cast<fmi2Boolean*>(values));
        return;
      default:
        CALL(GetInteger, vr.data(), vr.size(), static_cast<fmi2Integer*>(values));
    }
  }
  void Set(VariableType type, std::span<const ValueReference> vr, const void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        CALL(SetReal, vr.data(), vr.size(), static_cast<const fmi2Real*>(values));
        return;
      case VariableType::Boolean:
        CALL(SetBoolean, vr.data(), vr.size(), static_cast<const fmi2Boolean*>(values));
        return;
      default:
        CALL(SetInteger, vr.data(), vr.size(), static_cast<const fmi2Integer*>(values));
    }
  }
  void GetTexts(std::span<const ValueReference> vr, std::span<std::string> texts) override {
    pointers_.resize(vr.size());
    CALL(GetString, vr.data(), vr.size(), pointers_.data());
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = pointers_[i] != nullptr ? pointers_[i] : "";
  }
  void SetTexts(std::span<const ValueReference> vr, std::span<const std::string> texts) override {
    pointers_.resize(vr.size());
    for (std::size_t i = 0; i < texts.size(); ++i) pointers_[i] = texts[i].c_str();
    CALL(SetString, vr.data(), vr.size(), pointers_.data());
  }
  void GetBinaries(std::span<const ValueReference>, std::span<std::string>) override { NotInThisVersion("binaries"); }
  void SetBinaries(std::span<const ValueReference>, std::span<const std::string>) override {
    NotInThisVersion("binaries");
  }

  CallStatus DoStep(double from, double step, bool no_return, StepResult& result) override {
    const fmi2Status answer = Need(functions_.DoStep, "fmi2DoStep")(component_, from, step, no_return ? 1 : 0);
    result = {};
    if (answer == fmi2OK) [[likely]]
      return CallStatus::OK;
    const CallStatus status = Judge(answer, "fmi2DoStep", true);
    if (status != CallStatus::Discard) return status;
    // The FMU got only a part of the way; where it does not say how far, it is where it was.
    fmi2Boolean terminated = fmi2False;
    if (functions_.GetBooleanStatus == nullptr ||
        functions_.GetBooleanStatus(component_, fmi2Terminated, &terminated) != fmi2OK) {
      terminated = fmi2False;
    }
    fmi2Real last = from;
    if (functions_.GetRealStatus == nullptr ||
        functions_.GetRealStatus(component_, fmi2LastSuccessfulTime, &last) != fmi2OK) {
      last = from;
    }
    result.terminate = terminated != fmi2False;
    result.last_time = last;
    return status;
  }
  void SetInputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                           std::span<const double> values) override {
    CALL(SetRealInputDerivatives, vr.data(), vr.size(), orders.data(), values.data());
  }
  void GetOutputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                            std::span<double> values) override {
    CALL(GetRealOutputDerivatives, vr.data(), vr.size(), orders.data(), values.data());
  }

  EventInfo UpdateDiscreteStates() override {
    fmi2EventInfo info{};
    CALL(NewDiscreteStates, &info);
    return {.again = info.newDiscreteStatesNeeded != 0,
            .terminate = info.terminateSimulation != 0,
            .nominals_changed = info.nominalsOfContinuousStatesChanged != 0,
            .states_changed = info.valuesOfContinuousStatesChanged != 0,
            .has_next_time = info.nextEventTimeDefined != 0,
            .next_time = info.nextEventTime};
  }
  void GetClocks(std::span<const ValueReference>, std::span<bool>) override { NotInThisVersion("clocks"); }
  void SetClocks(std::span<const ValueReference>, std::span<const bool>) override { NotInThisVersion("clocks"); }
  void GetInterval(ValueReference, double&, bool&) override { NotInThisVersion("clocks"); }
  double GetShift(ValueReference) override { NotInThisVersion("clocks"); }

  void SetTime(double time) override { CALL(SetTime, time); }
  void SetContinuousStates(std::span<const double> states) override {
    CALL(SetContinuousStates, states.data(), states.size());
  }
  void GetContinuousStates(std::span<double> states) override {
    CALL(GetContinuousStates, states.data(), states.size());
  }
  void GetNominals(std::span<double> nominals) override {
    CALL(GetNominalsOfContinuousStates, nominals.data(), nominals.size());
  }
  CallStatus GetDerivatives(std::span<double> derivatives) override {
    return Judge(
        Need(functions_.GetDerivatives, "fmi2GetDerivatives")(component_, derivatives.data(), derivatives.size()),
        "fmi2GetDerivatives", true);
  }
  CallStatus GetEventIndicators(std::span<double> indicators) override {
    return Judge(
        Need(functions_.GetEventIndicators, "fmi2GetEventIndicators")(component_, indicators.data(), indicators.size()),
        "fmi2GetEventIndicators", true);
  }
  void CompletedStep(bool no_return, bool& enter_event_mode, bool& terminate) override {
    fmi2Boolean enter = fmi2False;
    fmi2Boolean end = fmi2False;
    CALL(CompletedIntegratorStep, no_return ? 1 : 0, &enter, &end);
    enter_event_mode = enter != 0;
    terminate = end != 0;
  }
  std::size_t StateCount() override { return description_->structure.derivatives.size(); }
  std::size_t IndicatorCount() override { return description_->event_indicators; }
  void DirectionalDerivative(std::span<const ValueReference> unknowns, std::span<const ValueReference> knowns,
                             std::span<const double> seed, std::span<double> sensitivity) override {
    CALL(GetDirectionalDerivative, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
         sensitivity.data());
  }

  void* GetState(void* reuse) override {
    CALL(GetFMUstate, &reuse);
    return reuse;
  }
  void FreeState(void* state) override { CALL(FreeFMUstate, &state); }
  std::vector<std::byte> Serialize(void* state) override {
    std::size_t size = 0;
    CALL(SerializedFMUstateSize, state, &size);
    std::vector<std::byte> bytes(size);
    CALL(SerializeFMUstate, state, reinterpret_cast<fmi2Byte*>(bytes.data()), size);
    return bytes;
  }
  void* Deserialize(std::span<const std::byte> bytes) override {
    void* state = nullptr;
    CALL(DeSerializeFMUstate, reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &state);
    return state;
  }

 private:
  void OnEnterConfiguration() override { NotInThisVersion("structural parameters"); }
  void OnExitConfiguration() override { NotInThisVersion("structural parameters"); }
  void OnEnterInitialization(const Experiment& experiment) override {
    CALL(SetupExperiment, experiment.tolerance ? 1 : 0, experiment.tolerance.value_or(0.0), experiment.start,
         experiment.stop ? 1 : 0, experiment.stop.value_or(0.0));
    CALL(EnterInitializationMode);
  }
  void OnExitInitialization() override { CALL(ExitInitializationMode); }
  void OnTerminate() override { CALL(Terminate); }
  void OnReset() override { CALL(Reset); }
  void OnFree() override { Need(functions_.FreeInstance, "fmi2FreeInstance")(component_); }
  void OnEnterEventMode() override { CALL(EnterEventMode); }
  void OnEnterStepMode() override { NotInThisVersion("step mode"); }
  void OnEnterContinuousTimeMode() override { CALL(EnterContinuousTimeMode); }
  void OnSetState(void* state) override { CALL(SetFMUstate, state); }

  Functions functions_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  std::vector<fmi2String> pointers_;
};

}  // namespace

std::unique_ptr<Instance> MakeInstance2(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options) {
  return std::make_unique<Instance2>(std::move(library), folder, description, std::move(options));
}

}  // namespace openmi::fmi
