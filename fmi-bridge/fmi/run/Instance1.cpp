// Instances of FMI 1.0 for co-simulation.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "fmi-bridge/fmi/abi/Fmi1.h"
#include "fmi-bridge/fmi/run/Callbacks.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/LogText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

#define OPENMI_FMI1_FUNCTIONS(X)                                                                                  \
  X(InstantiateSlave)                                                                                             \
  X(InitializeSlave)                                                                                              \
  X(TerminateSlave)                                                                                               \
  X(ResetSlave)                                                                                                   \
  X(FreeSlaveInstance) X(GetReal) X(GetInteger) X(GetBoolean) X(GetString) X(SetReal) X(SetInteger) X(SetBoolean) \
      X(SetString) X(SetRealInputDerivatives) X(GetRealOutputDerivatives) X(DoStep) X(GetRealStatus)

struct Functions {
  explicit Functions(const FmuLibrary& library) {
#define X(Name) library.Find(Name, "fmi" #Name);
    OPENMI_FMI1_FUNCTIONS(X)
#undef X
  }
#define X(Name) fmi##Name##TYPE* Name = nullptr;
  OPENMI_FMI1_FUNCTIONS(X)
#undef X
};

#define CALL(Name, ...) Judge(Need(functions_.Name, "fmi" #Name)(component_, ##__VA_ARGS__), "fmi" #Name)

// The logger of 1.0 gets no environment: instances are found by what the FMU calls them, and one that is being made
// by its name.
struct Loggers {
  std::mutex mutex;
  std::map<fmiComponent, Instance*> by_component;
  std::map<std::string, Instance*> being_made;
};

Loggers& All() {
  static Loggers loggers;
  return loggers;
}

Instance* Find(fmiComponent component, fmiString name) {
  Loggers& all = All();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.by_component.find(component); found != all.by_component.end()) return found->second;
  const auto made = all.being_made.find(name != nullptr ? name : "");
  return made != all.being_made.end() ? made->second : nullptr;
}

void Log(fmiComponent component, fmiString name, fmiStatus status, fmiString category, fmiString message, ...) {
  Instance* instance = Find(component, name);
  if (instance == nullptr) return;
  char text[4096] = "";
  va_list arguments;
  va_start(arguments, message);
  if (message != nullptr) std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  instance->Tell(static_cast<CallStatus>(status), category, NamesInText(text, instance->Description()).c_str());
}

class Instance1 final : public Instance {
 public:
  Instance1(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
            const ModelDescription& description, InstanceOptions options)
      : Instance(std::move(library), folder, description, std::move(options)), functions_(*library_) {
    const fmiCallbackFunctions callbacks{
        .logger = Log, .allocateMemory = std::calloc, .freeMemory = std::free, .stepFinished = nullptr};
    auto* const make = Need(functions_.InstantiateSlave, "fmiInstantiateSlave");
    Loggers& all = All();
    {
      const std::lock_guard lock(all.mutex);
      all.being_made[options_.name] = this;
    }
    component_ = make(options_.name.c_str(), description.token.c_str(), UriOf(folder_).c_str(),
                      "application/x-fmu-sharedlibrary", 0.0, fmiFalse, fmiFalse, callbacks,
                      options_.logging ? fmiTrue : fmiFalse);
    {
      const std::lock_guard lock(all.mutex);
      all.being_made.erase(options_.name);
      if (component_ != nullptr) all.by_component[component_] = this;
    }
    Made(component_ != nullptr);
  }
  ~Instance1() override {
    Close();
    Loggers& all = All();
    const std::lock_guard lock(all.mutex);
    all.by_component.erase(component_);
  }

  Native NativeOf(VariableType type) const override {
    return type == VariableType::Float64   ? Native::Float64
           : type == VariableType::Boolean ? Native::Int8
                                           : Native::Int32;
  }
  void Get(VariableType type, std::span<const ValueReference> vr, void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        CALL(GetReal, vr.data(), vr.size(), static_cast<fmiReal*>(values));
        return;
      case VariableType::Boolean:
        CALL(GetBoolean, vr.data(), vr.size(), static_cast<fmiBoolean*>(values));
        return;
      default:
        CALL(GetInteger, vr.data(), vr.size(), static_cast<fmiInteger*>(values));
    }
  }
  void Set(VariableType type, std::span<const ValueReference> vr, const void* values, std::size_t) override {
    switch (type) {
      case VariableType::Float64:
        CALL(SetReal, vr.data(), vr.size(), static_cast<const fmiReal*>(values));
        return;
      case VariableType::Boolean:
        CALL(SetBoolean, vr.data(), vr.size(), static_cast<const fmiBoolean*>(values));
        return;
      default:
        CALL(SetInteger, vr.data(), vr.size(), static_cast<const fmiInteger*>(values));
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

  CallStatus DoStep(double from, double step, bool, StepResult& result) override {
    const fmiStatus answer = Need(functions_.DoStep, "fmiDoStep")(component_, from, step, fmiTrue);
    result = {};
    const CallStatus status = Judge(answer, "fmiDoStep", true);
    if (status != CallStatus::Discard) return status;
    fmiReal last = from;
    if (functions_.GetRealStatus == nullptr ||
        functions_.GetRealStatus(component_, fmiLastSuccessfulTime, &last) != fmiOK) {
      last = from;
    }
    // 1.0 has no word for an FMU that ends the simulation itself: one that got no further than the time it gives says
    // so.
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

  EventInfo UpdateDiscreteStates() override { NotInThisVersion("event mode"); }
  void GetClocks(std::span<const ValueReference>, std::span<bool>) override { NotInThisVersion("clocks"); }
  void SetClocks(std::span<const ValueReference>, std::span<const bool>) override { NotInThisVersion("clocks"); }
  void GetInterval(ValueReference, double&, bool&) override { NotInThisVersion("clocks"); }
  double GetShift(ValueReference) override { NotInThisVersion("clocks"); }
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
  std::vector<std::byte> Serialize(void*) override { NotInThisVersion("a state that can be kept"); }
  void* Deserialize(std::span<const std::byte>) override { NotInThisVersion("a state that can be kept"); }

 private:
  [[noreturn]] void NoModelExchange() const { NotInThisVersion("model exchange"); }
  void OnEnterConfiguration() override { NotInThisVersion("structural parameters"); }
  void OnExitConfiguration() override { NotInThisVersion("structural parameters"); }
  void OnEnterInitialization(const Experiment& experiment) override { experiment_ = experiment; }
  void OnExitInitialization() override {
    CALL(InitializeSlave, experiment_.start, experiment_.stop ? fmiTrue : fmiFalse, experiment_.stop.value_or(0.0));
  }
  void OnTerminate() override { CALL(TerminateSlave); }
  void OnReset() override { CALL(ResetSlave); }
  void OnFree() override { Need(functions_.FreeSlaveInstance, "fmiFreeSlaveInstance")(component_); }
  void OnEnterEventMode() override { NotInThisVersion("event mode"); }
  void OnEnterStepMode() override { NotInThisVersion("event mode"); }
  void OnEnterContinuousTimeMode() override { NoModelExchange(); }
  void OnSetState(void*) override { NotInThisVersion("a state that can be kept"); }

  Functions functions_;
  fmiComponent component_ = nullptr;
  Experiment experiment_;
  std::vector<fmiString> pointers_;
};

}  // namespace

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
