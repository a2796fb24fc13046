#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/CallbackTarget.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/NumberMemory.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::fmi {

/// Settings of a new instance.
struct InstanceOptions {
  std::string name;
  InterfaceKind kind = InterfaceKind::CoSimulation;
  std::filesystem::path library = {};       ///< see LibraryFor; empty: that in the folder of the FMU
  bool logging = false;                     ///< also log messages of successful calls
  std::vector<std::string> log_categories;  ///< log only these, as far as the FMU supports it; empty: all
  bool event_mode = false;                  ///< 3.0 co-simulation; only if the FMU offers it
  bool early_return = false;                ///< 3.0 co-simulation
  std::vector<ValueReference> intermediate_variables;
  LogSink log;
  IntermediateHook intermediate;
};

/// The experiment of a run; times in units of the independent variable.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop;
  std::optional<double> tolerance;
};

/// The result of a co-simulation step.
struct StepResult {
  double last_time = 0.0;  ///< time reached, if `early_return` is set or the status is Discard
  bool event_needed = false;
  bool terminate = false;
  bool early_return = false;
};

/// The result of an event iteration.
struct EventInfo {
  bool again = false;
  bool terminate = false;
  bool nominals_changed = false;
  bool states_changed = false;
  bool has_next_time = false;
  double next_time = 0.0;
};

/// The time between two ticks of a clock, or the time before its first tick, as an FMU gives it: a number or a
/// fraction.
struct ClockSpan {
  double decimal = 0.0;  ///< the time in units of the independent variable; used if `resolution` is 0
  std::uint64_t counter = 0;
  std::uint64_t resolution = 0;  ///< if not 0: the time is `counter` / `resolution` units of the independent variable
  /// The length in units of the independent variable.
  double Length() const {
    return resolution > 0 ? static_cast<double>(counter) / static_cast<double>(resolution) : decimal;
  }
};

/// One instance of an FMU of any version and any kind.
///
/// Calls that fail throw one of these:
/// - ModelError, with the last log message: the FMU returned Error, Fatal or Pending, or it returned Discard and the
///   caller cannot try anything else
/// - LoadError: the library of the FMU lacks the function
///
/// Warnings are logged. After Error only SetState and Reset are possible. After Fatal no call is possible, for any
/// instance of the FMU. The destructor terminates and frees the instance if necessary. Only one thread at a time may
/// use an instance.
class Instance {
 public:
  /// The mode of an instance.
  enum class Mode : std::uint8_t {
    Instantiated,
    Configuration,
    Initialization,
    Event,
    ContinuousTime,
    Step,
    Terminated,
    Failed,
    ClockActivation
  };

  /// The functions that instances of a version call, by their names in the standard (for example "fmi2DoStep").
  static std::span<const char* const> FunctionsCalled(FmiMajor version);

  /// Loads the library and makes an instance.
  /// \param folder       folder of the unpacked FMU; must exist as long as the instance
  /// \param description  borrowed
  /// \throws LoadError   there is no library for this machine, or it cannot be loaded
  /// \throws ModelError  the library makes no instance
  static std::unique_ptr<Instance> Make(const std::filesystem::path& folder, const ModelDescription& description,
                                        InstanceOptions options);
  virtual ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // Life cycle.
  void EnterConfiguration();
  void ExitConfiguration();
  /// Makes the experiment known, before start values are set: FMUs of 2.0 may set all variables to their defaults in
  /// SetupExperiment, as those of 20-sim do. Without this call, EnterInitialization does it.
  void SetUp(const Experiment& experiment);
  /// \param experiment  as in SetUp
  void EnterInitialization(const Experiment& experiment);
  void ExitInitialization();
  /// Terminates the instance; does nothing if it is not running.
  void Terminate();
  void Reset();

  // Values: `values` points to `count` elements of the type NativeOf(type).
  virtual NumberType NativeOf(VariableType type) const = 0;
  virtual void Get(VariableType type, std::span<const ValueReference> references, void* values, std::size_t count) = 0;
  virtual void Set(VariableType type, std::span<const ValueReference> references, const void* values,
                   std::size_t count) = 0;
  /// \param texts  one for each element
  virtual void GetTexts(std::span<const ValueReference> references, std::span<std::string> texts) = 0;
  virtual void SetTexts(std::span<const ValueReference> references, std::span<const std::string> texts) = 0;
  /// Gets views of bytes in the memory of the FMU. The views are valid until a call that may change the bytes. If the
  /// FMU returns a null pointer, the view contains the null pointer and the size that the FMU returned.
  virtual void ShowBinaries(std::span<const ValueReference> references, std::span<ByteView> bytes) = 0;
  /// Sets bytes; the FMU copies them.
  virtual void PutBinaries(std::span<const ValueReference> references, std::span<const ByteView> bytes) = 0;
  void GetBinaries(std::span<const ValueReference> references, std::span<std::string> bytes);
  void SetBinaries(std::span<const ValueReference> references, std::span<const std::string> bytes);

  // Co-simulation.
  /// \returns OK, Warning or Discard
  virtual CallStatus DoStep(double from, double step, bool no_return, StepResult& result) = 0;
  /// \returns whether the FMU accepts the derivatives; some FMUs refuse them although they declare the capability
  virtual bool SetInputDerivatives(std::span<const ValueReference> references, std::span<const std::int32_t> orders,
                                   std::span<const double> values) = 0;

  /// Reads derivatives in time of outputs.
  /// \param orders  1 or more, one for each reference
  /// \param values  one for each element
  virtual void GetOutputDerivatives(std::span<const ValueReference> references, std::span<const std::int32_t> orders,
                                    std::span<double> values) = 0;

  // Events.
  void EnterEventMode();
  void EnterStepMode();
  void EnterContinuousTimeMode();
  virtual EventInfo UpdateDiscreteStates() = 0;
  virtual void SetClocks(std::span<const ValueReference> references, std::span<const bool> active) = 0;
  /// Reads which output and local clocks tick, in event mode.
  /// \param active  one for each reference
  virtual void GetClocks(std::span<const ValueReference> references, std::span<bool> active) = 0;
  /// \param as_fraction  whether to read the interval as a fraction; the clock must support this
  /// \returns whether there is a new interval; else `interval` is not changed
  virtual bool GetInterval(ValueReference clock, bool as_fraction, ClockSpan& interval) = 0;
  virtual ClockSpan GetShift(ValueReference clock, bool as_fraction) = 0;
  virtual void SetInterval(ValueReference clock, const ClockSpan& interval) = 0;

  // Scheduled execution (3.0).
  /// Computes the model partition of an input clock. The hook of HearClocks may be called meanwhile.
  /// \param time  above that of the previous call for the clock
  /// \throws ModelError  also if the FMU ends the partition with preemption locked
  virtual void ActivatePartition(ValueReference clock, double time) = 0;
  /// Sets what is called when the FMU announces ticks of output clocks or intervals of countdown clocks; empty:
  /// nothing.
  void HearClocks(std::function<void()> hook) { target_->HearClocks(std::move(hook)); }
  /// Sets whether this thread computes a partition, so that the FMU may call that hook.
  void ExpectClocks(bool expects) { target_->ExpectClocks(expects); }

  // Model exchange.
  virtual void SetTime(double time) = 0;
  virtual void SetContinuousStates(std::span<const double> states) = 0;
  virtual void GetContinuousStates(std::span<double> states) = 0;
  virtual void GetNominals(std::span<double> nominals) = 0;
  /// \returns OK or Discard; after Discard other states may be tried
  virtual CallStatus GetDerivatives(std::span<double> derivatives) = 0;
  virtual CallStatus GetEventIndicators(std::span<double> indicators) = 0;
  /// Reports the completion of an integrator step.
  /// \param no_return         whether it is certain that the instance is not set back to a time before the present one
  /// \param enter_event_mode  set to true if the FMU requests event mode
  /// \param terminate         set to true if the FMU requests the end of the simulation
  virtual void CompletedStep(bool no_return, bool& enter_event_mode, bool& terminate) = 0;
  virtual std::size_t StateCount() = 0;
  virtual std::size_t IndicatorCount() = 0;
  /// The derivatives of `unknowns` in the direction `seed` of `knowns`.
  /// \param seed         shape [knowns]
  /// \param sensitivity  out; shape [unknowns]
  virtual void DirectionalDerivative(std::span<const ValueReference> unknowns, std::span<const ValueReference> knowns,
                                     std::span<const double> seed, std::span<double> sensitivity) = 0;

  // State. A handle belongs to this instance.
  /// Gets a handle of the present state.
  /// \param reuse  a handle to overwrite, or null
  virtual void* GetState(void* reuse = nullptr) = 0;
  /// Restores a state.
  /// \param mode  mode of the instance when the state was kept
  void SetState(void* state, Mode mode);
  virtual void FreeState(void* state) = 0;
  virtual Bytes Serialize(void* state) = 0;
  virtual void* Deserialize(ByteView bytes) = 0;

  Mode CurrentMode() const { return mode_; }
  const ModelDescription& Description() const { return *description_; }
  const Interface& Offers() const { return *description_->Of(options_.kind); }
  const InstanceOptions& Options() const { return options_; }
  /// Whether it returned Fatal, or another instance in this process did: no function may be called any more.
  bool IsFatal() const { return is_fatal_ || library_->Fatal().load(std::memory_order_relaxed); }
  /// The file of the FMU and the name of the instance, for messages.
  Where Place() const { return {.file = description_->file, .component = options_.name}; }

  /// Of a library for Windows: after that time from now calls fail, and the program of the instance is ended.
  /// \param limit  none: calls take as long as they take
  virtual void LimitAnswers(std::optional<std::chrono::milliseconds> limit) = 0;
  /// Stops passing on messages of the FMU.
  void Silence() { target_->Silence(); }

 protected:
  Instance(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
           const ModelDescription& description, InstanceOptions options);
  /// The environment pointer for the FMU: it identifies `target_` and is never dereferenced.
  void* Environment() const { return target_.get(); }
  /// If a callback threw an exception during the call of the FMU, throws that exception.
  void RequireNoProblem() {
    if (target_->HasProblem()) [[unlikely]]
      target_->ThrowProblem();
  }
  /// Terminates and frees the instance; for the destructors of derived classes.
  void Close() noexcept;
  void Made(bool made);

  virtual void OnEnterConfiguration() = 0;
  virtual void OnExitConfiguration() = 0;
  virtual void OnSetUp(const Experiment&) {}
  virtual void OnEnterInitialization(const Experiment& experiment) = 0;
  virtual void OnExitInitialization() = 0;
  virtual void OnTerminate() = 0;
  virtual void OnReset() = 0;
  virtual void OnFree() = 0;
  virtual void OnEnterEventMode() = 0;
  virtual void OnEnterStepMode() = 0;
  virtual void OnEnterContinuousTimeMode() = 0;
  virtual void OnSetState(void* state) = 0;

  /// Judges the status that a call returned.
  /// \returns OK or Warning; also Discard, if `may_discard`
  /// \throws ModelError  the call returned another status
  CallStatus Judge(int status, const char* function, bool may_discard = false) {
    if (status == 0) [[likely]]
      return CallStatus::OK;
    return JudgeRest(status, function, may_discard);
  }
  /// Returns `function`.
  /// \throws LoadError   the library of the FMU lacks the function
  /// \throws ModelError  an instance of the FMU returned Fatal
  template <class Function>
  Function* Need(Function* function, const char* name) const {
    if (function == nullptr || IsFatal()) [[unlikely]]
      Refuse(name);
    return function;
  }
  [[noreturn]] void Refuse(const char* name) const;
  [[noreturn]] void NotInThisVersion(const char* what) const;
  void Require(const char* call, std::initializer_list<Mode> modes) const;

  std::shared_ptr<FmuLibrary> library_;
  std::filesystem::path folder_;
  const ModelDescription* description_;
  InstanceOptions options_;
  std::shared_ptr<CallbackTarget> target_;
  Mode mode_ = Mode::Instantiated;
  bool is_set_up_ = false;
  bool is_fatal_ = false;

 private:
  CallStatus JudgeRest(int status, const char* function, bool may_discard);
  CallbackKey key_;
  std::vector<ByteView> binaries_;
  bool is_made_ = false;
  bool is_counted_ = false;
};

/// A state of an instance, freed with this object.
class StateHandle {
 public:
  /// \param instance  borrowed
  /// \param state     a state of `instance`, which this object frees; null: there is no state yet
  explicit StateHandle(Instance& instance, void* state = nullptr) : instance_(instance), state_(state) {}
  ~StateHandle();
  StateHandle(const StateHandle&) = delete;
  StateHandle& operator=(const StateHandle&) = delete;

  /// Replaces the state by the present state of the instance, in the same memory.
  void Keep() { state_ = instance_.GetState(state_); }
  /// The handle; null before the first state.
  void* Get() const { return state_; }

 private:
  Instance& instance_;
  void* state_;
};

/// A folder as a URI without separator at the end: `file:///a%20b`.
std::string UriOf(const std::filesystem::path& folder);

/// The functions of one version; called by Instance::FunctionsCalled and Instance::Make.
std::span<const char* const> FunctionsCalled1();
std::span<const char* const> FunctionsCalled2();
std::span<const char* const> FunctionsCalled3();
std::unique_ptr<Instance> MakeInstance1(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options);
std::unique_ptr<Instance> MakeInstance2(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options);
std::unique_ptr<Instance> MakeInstance3(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
                                        const ModelDescription& description, InstanceOptions options);

}  // namespace openmi::fmi
