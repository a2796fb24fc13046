// Instances of FMI 1.0 for co-simulation.
#include <cstdarg>
#include <cstdlib>
#include <memory>
#include <utility>

#include "fmi-bridge/fmi/abi/Fmi1.h"
#include "fmi-bridge/fmi/run/InstanceParts.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

#define OPENMI_FMI1_FUNCTIONS(X) \
  X(InstantiateSlave)            \
  X(InitializeSlave)             \
  X(TerminateSlave)              \
  X(ResetSlave)                  \
  X(FreeSlaveInstance)           \
  X(GetReal)                     \
  X(GetInteger)                  \
  X(GetBoolean)                  \
  X(GetString)                   \
  X(SetReal)                     \
  X(SetInteger)                  \
  X(SetBoolean)                  \
  X(SetString)                   \
  X(SetRealInputDerivatives)     \
  X(GetRealOutputDerivatives)    \
  X(DoStep)                      \
  X(GetRealStatus)

struct Functions {
  using Component = fmiComponent;
  using String = fmiString;
  explicit Functions(const FmuLibrary& library) {
#define X(Name) Name.Find(library, "fmi" #Name);
    OPENMI_FMI1_FUNCTIONS(X)
#undef X
  }
  decltype(auto) Of(VariableType type, auto&& work) const {
    return OfThreeTypes(*this, type, work);
  }
#define X(Name) Function<fmi##Name##TYPE> Name;
  OPENMI_FMI1_FUNCTIONS(X)
#undef X
};

#define X(Name) "fmi" #Name,
constexpr const char* kCalled[] = {OPENMI_FMI1_FUNCTIONS(X)};
#undef X

// The logger of 1.0 gets no environment: instances are found by the name that the FMU passes, and during instantiation
// by the thread.
thread_local std::shared_ptr<CallbackTarget> being_made;

/// Records which instance this thread is making, during its lifetime.
class Making {
 public:
  explicit Making(std::shared_ptr<CallbackTarget> target) { being_made = std::move(target); }
  ~Making() { being_made = nullptr; }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
};

void Log(fmiComponent component, fmiString name, fmiStatus status, fmiString category, fmiString message, ...) {
  std::shared_ptr<CallbackTarget> target = component != nullptr ? CallbackKey::Find(component) : nullptr;
  if (target == nullptr) target = being_made;
  if (target == nullptr) target = CallbackKey::FindNamed(name);
  if (target == nullptr) return;
  va_list arguments;
  va_start(arguments, message);
  target->LogFormatted(static_cast<CallStatus>(status), category, message, arguments);
  va_end(arguments);
}

class Instance1 final : public WithOldValues<InstanceOf<Functions>, Functions> {
 public:
  Instance1(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
            const ModelDescription& description, InstanceOptions options)
      : WithOldValues(std::move(library), folder, description, std::move(options)) {
    const fmiCallbackFunctions callbacks{
        .logger = Log, .allocateMemory = std::calloc, .freeMemory = std::free, .stepFinished = nullptr};
    auto* const make = Need(functions_.InstantiateSlave.address, functions_.InstantiateSlave.name);
    {
      const Making making(target_);
      component_ = make(options_.name.c_str(), description.token.c_str(), UriOf(folder_).c_str(),
                        "application/x-fmu-sharedlibrary", 0.0, fmiFalse, fmiFalse, callbacks,
                        options_.logging ? fmiTrue : fmiFalse);
    }
    if (component_ != nullptr) component_key_.Assign(component_, target_);
    Made(component_ != nullptr);
  }
  ~Instance1() override { Close(); }

  CallStatus DoStep(double from, double step, bool, StepResult& result) override {
    result = {};
    const CallStatus status = Ask(functions_.DoStep, true, from, step, fmiBoolean{fmiTrue});
    RequireNoProblem();
    if (status != CallStatus::Discard) return status;
    // 1.0 has no status for an FMU that ends the simulation: its last successful time shows how far it came.
    result.last_time = StatusOf(functions_.GetRealStatus, fmiLastSuccessfulTime, from);
    return status;
  }
  EventInfo UpdateDiscreteStates() override { NotInThisVersion("event mode"); }
  void SetTime(double) override { NoModelExchange(); }
  void SetContinuousStates(std::span<const double>) override { NoModelExchange(); }
  void GetContinuousStates(std::span<double>) override { NoModelExchange(); }
  void GetNominals(std::span<double>) override { NoModelExchange(); }
  CallStatus GetDerivatives(std::span<double>) override { NoModelExchange(); }
  CallStatus GetEventIndicators(std::span<double>) override { NoModelExchange(); }
  void CompletedStep(bool, bool&, bool&) override { NoModelExchange(); }
  std::size_t StateCount() override { return 0; }
  std::size_t IndicatorCount() override { return 0; }
  void DirectionalDerivative(std::span<const ValueReference>, std::span<const ValueReference>, std::span<const double>,
                             std::span<double>) override {
    NotInThisVersion("directional derivatives");
  }
  void* GetState(void*) override { NotInThisVersion("a state that can be kept"); }
  void FreeState(void*) override { NotInThisVersion("a state that can be kept"); }
  Bytes Serialize(void*) override { NotInThisVersion("a state that can be kept"); }
  void* Deserialize(ByteView) override { NotInThisVersion("a state that can be kept"); }

 private:
  [[noreturn]] void NoModelExchange() const { NotInThisVersion("model exchange"); }
  void OnEnterInitialization(const Experiment& experiment) override { experiment_ = experiment; }
  void OnExitInitialization() override {
    Call(functions_.InitializeSlave, experiment_.start, fmiBoolean(experiment_.stop ? fmiTrue : fmiFalse),
         experiment_.stop.value_or(0.0));
  }
  void OnTerminate() override { Call(functions_.TerminateSlave); }
  void OnReset() override { Call(functions_.ResetSlave); }
  void OnFree() override { Need(functions_.FreeSlaveInstance.address, functions_.FreeSlaveInstance.name)(component_); }
  void OnEnterEventMode() override { NotInThisVersion("event mode"); }
  void OnEnterStepMode() override { NotInThisVersion("event mode"); }
  void OnEnterContinuousTimeMode() override { NoModelExchange(); }
  void OnSetState(void*) override { NotInThisVersion("a state that can be kept"); }

  Experiment experiment_;
  CallbackKey component_key_;
};

}  // namespace

std::span<const char* const> FunctionsCalled1() {
  return kCalled;
}

std::unique_ptr<Instance> MakeInstance1(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options) {
  if (options.kind != InterfaceKind::CoSimulation) {
    throw LoadError({.file = description.file, .component = options.name},
                    "expected an FMU of FMI 1.0 for co-simulation, found one for model exchange",
                    "export it for co-simulation, or as FMI 2.0");
  }
  return std::make_unique<Instance1>(std::move(library), folder, description, std::move(options));
}

}  // namespace openmi::fmi
