// Instances of FMI 3.0.
#include <fmt/format.h>

#include <cmath>

#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "fmi-bridge/fmi/run/InstanceParts.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

#define OPENMI_FMI3_FUNCTIONS(X)   \
  X(InstantiateModelExchange)      \
  X(InstantiateCoSimulation)       \
  X(InstantiateScheduledExecution) \
  X(FreeInstance)                  \
  X(SetDebugLogging)               \
  X(EnterInitializationMode)       \
  X(ExitInitializationMode)        \
  X(EnterEventMode)                \
  X(Terminate)                     \
  X(Reset)                         \
  X(GetString)                     \
  X(GetBinary)                     \
  X(SetString)                     \
  X(SetBinary)                     \
  X(SetClock)                      \
  X(GetClock)                      \
  X(GetFMUState)                   \
  X(SetFMUState)                   \
  X(FreeFMUState)                  \
  X(SerializedFMUStateSize)        \
  X(SerializeFMUState)             \
  X(DeserializeFMUState)           \
  X(GetDirectionalDerivative)      \
  X(EnterConfigurationMode)        \
  X(ExitConfigurationMode)         \
  X(GetIntervalDecimal)            \
  X(GetIntervalFraction)           \
  X(GetShiftDecimal)               \
  X(GetShiftFraction)              \
  X(SetIntervalDecimal)            \
  X(SetIntervalFraction)           \
  X(UpdateDiscreteStates)          \
  X(EnterContinuousTimeMode)       \
  X(CompletedIntegratorStep)       \
  X(SetTime)                       \
  X(SetContinuousStates)           \
  X(GetContinuousStateDerivatives) \
  X(GetEventIndicators)            \
  X(GetContinuousStates)           \
  X(GetNominalsOfContinuousStates) \
  X(GetNumberOfEventIndicators)    \
  X(GetNumberOfContinuousStates)   \
  X(EnterStepMode)                 \
  X(GetOutputDerivatives)          \
  X(DoStep)                        \
  X(ActivateModelPartition)

#define OPENMI_FMI3_NUMBERS(X) \
  X(Float32)                   \
  X(Float64)                   \
  X(Int8)                      \
  X(UInt8)                     \
  X(Int16)                     \
  X(UInt16)                    \
  X(Int32)                     \
  X(UInt32)                    \
  X(Int64)                     \
  X(UInt64)                    \
  X(Boolean)

struct Functions {
  using Component = fmi3Instance;
  using String = fmi3String;
  using Byte = fmi3Byte;
  explicit Functions(const FmuLibrary& library) {
#define X(Name) Name.Find(library, "fmi3" #Name);
    OPENMI_FMI3_FUNCTIONS(X)
#define Y(Type) X(Get##Type) X(Set##Type)
    OPENMI_FMI3_NUMBERS(Y)
#undef X
  }
  decltype(auto) Of(VariableType type, auto&& work) const {
    switch (type) {
#define X(Type)            \
  case VariableType::Type: \
    return work(Get##Type, Set##Type);
      OPENMI_FMI3_NUMBERS(X)
#undef X
      case VariableType::Enumeration:
        return work(GetInt64, SetInt64);
      default:
        throw ModelError({}, "expected a variable that holds numbers, found one that holds none");
    }
  }
#define X(Name) Function<fmi3##Name##TYPE> Name;
  OPENMI_FMI3_FUNCTIONS(X)
  OPENMI_FMI3_NUMBERS(Y)
#undef X
};

#define X(Name) "fmi3" #Name,
constexpr const char* kCalled[] = {OPENMI_FMI3_FUNCTIONS(X) OPENMI_FMI3_NUMBERS(Y)};
#undef X
#undef Y

void Log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message) {
  const std::shared_ptr<CallbackTarget> target = CallbackKey::Find(environment);
  if (target != nullptr) target->Log(static_cast<CallStatus>(status), category, message);
}

void AtMoment(fmi3InstanceEnvironment environment, fmi3Float64 time, fmi3Boolean may_set, fmi3Boolean may_get,
              fmi3Boolean step_finished, fmi3Boolean can_return_early, fmi3Boolean* early_return,
              fmi3Float64* early_return_time) {
  if (early_return != nullptr) *early_return = false;
  const std::shared_ptr<CallbackTarget> target = CallbackKey::Find(environment);
  if (target == nullptr) return;
  double end = target->At({time, may_set, may_get, step_finished, can_return_early});
  if (target->HasProblem()) end = time;  // no reason to continue
  const bool wanted = can_return_early && !std::isnan(end);
  if (early_return != nullptr) *early_return = wanted;
  if (early_return_time != nullptr && wanted) *early_return_time = end;
}

void ClocksChanged(fmi3InstanceEnvironment environment) {
  const std::shared_ptr<CallbackTarget> target = CallbackKey::Find(environment);
  if (target != nullptr) target->ClocksChanged();
}

// How often preemption is locked in the partition that runs on this thread. Nothing is preempted here, but where it is,
// a lock that is not released would stop the scheduler.
thread_local int locks_held = 0;
thread_local bool unlocked_too_often = false;
void Lock() {
  ++locks_held;
}
void Unlock() {
  if (locks_held == 0) unlocked_too_often = true;
  if (locks_held > 0) --locks_held;
}

using Base = WithStates<InstanceOf<Functions>, Functions>;

class Instance3 final : public Base {
 public:
  Instance3(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
            const ModelDescription& description, InstanceOptions options)
      : Base(std::move(library), folder, description, std::move(options)) {
    std::error_code error;
    const std::filesystem::path resources = std::filesystem::absolute(folder_) / "resources" / "";
    const std::string text = resources.string();
    const char* path = std::filesystem::is_directory(resources, error) ? text.c_str() : nullptr;
    if (options_.kind == InterfaceKind::ModelExchange) {
      component_ = Need(functions_.InstantiateModelExchange.address, functions_.InstantiateModelExchange.name)(
          options_.name.c_str(), description.token.c_str(), path, false, options_.logging, Environment(), Log);
    } else if (options_.kind == InterfaceKind::ScheduledExecution) {
      const auto& make = functions_.InstantiateScheduledExecution;
      component_ =
          Need(make.address, make.name)(options_.name.c_str(), description.token.c_str(), path, false, options_.logging,
                                        Environment(), Log, fmi::ClocksChanged, Lock, Unlock);
    } else {
      const auto& required = options_.intermediate_variables;
      component_ = Need(functions_.InstantiateCoSimulation.address, functions_.InstantiateCoSimulation.name)(
          options_.name.c_str(), description.token.c_str(), path, false, options_.logging, options_.event_mode,
          options_.early_return, required.empty() ? nullptr : required.data(), required.size(), Environment(), Log,
          options_.intermediate ? AtMoment : nullptr);
    }
    Made(component_ != nullptr);
    ChooseCategories();
  }
  ~Instance3() override { Close(); }

  void ShowBinaries(std::span<const ValueReference> vr, std::span<ByteView> bytes) override {
    sizes_.resize(bytes.size());
    blobs_.resize(bytes.size());
    Call(functions_.GetBinary, vr.data(), vr.size(), sizes_.data(), blobs_.data(), bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = {reinterpret_cast<const std::byte*>(blobs_[i]), sizes_[i]};
    }
  }
  void PutBinaries(std::span<const ValueReference> vr, std::span<const ByteView> bytes) override {
    sizes_.resize(bytes.size());
    blobs_.resize(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      sizes_[i] = bytes[i].size();
      blobs_[i] = reinterpret_cast<const fmi3Byte*>(bytes[i].data());
    }
    Call(functions_.SetBinary, vr.data(), vr.size(), sizes_.data(), blobs_.data(), bytes.size());
  }

  CallStatus DoStep(double from, double step, bool no_return, StepResult& result) override {
    fmi3Boolean event = false;
    fmi3Boolean terminate = false;
    fmi3Boolean early = false;
    fmi3Float64 last = from + step;
    const char* const name = functions_.DoStep.name;
    auto* const do_step = Need(functions_.DoStep.address, name);
    const fmi3Status made = [&] {
      const CallbackTarget::Step within(*target_, from, last);
      return do_step(component_, from, step, no_return, &event, &terminate, &early, &last);
    }();
    const CallStatus status = Judge(made, name, true);
    RequireNoProblem();
    result = {.last_time = last, .event_needed = event, .terminate = terminate, .early_return = early};
    return status;
  }
  bool SetInputDerivatives(std::span<const ValueReference>, std::span<const std::int32_t>,
                           std::span<const double>) override {
    NotInThisVersion("derivatives of inputs");
  }
  void GetOutputDerivatives(std::span<const ValueReference> vr, std::span<const std::int32_t> orders,
                            std::span<double> values) override {
    Call(functions_.GetOutputDerivatives, vr.data(), vr.size(), orders.data(), values.data(), values.size());
  }
  EventInfo UpdateDiscreteStates() override {
    EventInfo info;
    Call(functions_.UpdateDiscreteStates, &info.again, &info.terminate, &info.nominals_changed, &info.states_changed,
         &info.has_next_time, &info.next_time);
    return info;
  }
  void SetClocks(std::span<const ValueReference> vr, std::span<const bool> active) override {
    Call(functions_.SetClock, vr.data(), vr.size(), active.data());
  }
  void GetClocks(std::span<const ValueReference> vr, std::span<bool> active) override {
    Call(functions_.GetClock, vr.data(), vr.size(), active.data());
  }
  bool GetInterval(ValueReference clock, bool as_fraction, ClockSpan& interval) override {
    fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
    ClockSpan found;
    if (as_fraction) {
      Call(functions_.GetIntervalFraction, &clock, 1, &found.counter, &found.resolution, &qualifier);
    } else {
      Call(functions_.GetIntervalDecimal, &clock, 1, &found.decimal, &qualifier);
    }
    if (qualifier == fmi3IntervalChanged) interval = found;
    return qualifier == fmi3IntervalChanged;
  }
  ClockSpan GetShift(ValueReference clock, bool as_fraction) override {
    ClockSpan shift;
    if (as_fraction) {
      Call(functions_.GetShiftFraction, &clock, 1, &shift.counter, &shift.resolution);
    } else {
      Call(functions_.GetShiftDecimal, &clock, 1, &shift.decimal);
    }
    return shift;
  }
  void SetInterval(ValueReference clock, const ClockSpan& interval) override {
    if (interval.resolution > 0) {
      Call(functions_.SetIntervalFraction, &clock, 1, &interval.counter, &interval.resolution);
    } else {
      Call(functions_.SetIntervalDecimal, &clock, 1, &interval.decimal);
    }
  }

  void ActivatePartition(ValueReference clock, double time) override {
    locks_held = 0;
    unlocked_too_often = false;
    Call(functions_.ActivateModelPartition, clock, time);
    RequireNoProblem();
    if (locks_held == 0 && !unlocked_too_often) return;
    throw ModelError(Place(),
                     fmt::format("expected fmi3ActivateModelPartition to unlock preemption as often as it locks it, "
                                 "found it {} at {}",
                                 unlocked_too_often ? "unlocked without a lock" : "still locked", time),
                     "see that each path through the partition unlocks once for each lock");
  }

  void CompletedStep(bool no_return, bool& enter_event_mode, bool& terminate) override {
    Call(functions_.CompletedIntegratorStep, no_return, &enter_event_mode, &terminate);
  }
  std::size_t StateCount() override {
    if (!functions_.GetNumberOfContinuousStates) return description_->continuous_states;
    std::size_t count = 0;
    Call(functions_.GetNumberOfContinuousStates, &count);
    return count;
  }
  std::size_t IndicatorCount() override {
    if (!functions_.GetNumberOfEventIndicators) return description_->event_indicators;
    std::size_t count = 0;
    Call(functions_.GetNumberOfEventIndicators, &count);
    return count;
  }
  void DirectionalDerivative(std::span<const ValueReference> unknowns, std::span<const ValueReference> knowns,
                             std::span<const double> seed, std::span<double> sensitivity) override {
    Call(functions_.GetDirectionalDerivative, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(),
         seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  }

 private:
  void OnEnterConfiguration() override { Call(functions_.EnterConfigurationMode); }
  void OnExitConfiguration() override { Call(functions_.ExitConfigurationMode); }
  void OnEnterInitialization(const Experiment& experiment) override {
    Call(functions_.EnterInitializationMode, experiment.tolerance.has_value(), experiment.tolerance.value_or(0.0),
         experiment.start, experiment.stop.has_value(), experiment.stop.value_or(0.0));
  }
  void OnEnterStepMode() override { Call(functions_.EnterStepMode); }

  std::vector<std::size_t> sizes_;
  std::vector<fmi3Binary> blobs_;
};

}  // namespace

std::span<const char* const> FunctionsCalled3() {
  return kCalled;
}

std::unique_ptr<Instance> MakeInstance3(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options) {
  return std::make_unique<Instance3>(std::move(library), folder, description, std::move(options));
}

}  // namespace openmi::fmi
