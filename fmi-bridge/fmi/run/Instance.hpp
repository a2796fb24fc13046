#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/CallStatus.hpp"
#include "fmi-bridge/fmi/run/CallbackTarget.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"

namespace openmi::fmi {

/// How an instance is made.
struct InstanceOptions {
  std::string name;
  InterfaceKind kind = InterfaceKind::CoSimulation;
  bool logging = false;                     ///< also messages of calls that went well
  std::vector<std::string> log_categories;  ///< only messages of these, as far as the FMU keeps to it; none: of all
  bool event_mode = false;                  ///< 3.0 co-simulation; only where offered
  bool early_return = false;                ///< 3.0 co-simulation
  std::vector<ValueReference> intermediate_variables;
  LogSink log;
  IntermediateHook intermediate;
};

/// What a run begins with; times in units of the independent variable.
struct Experiment {
  double start = 0.0;
  std::optional<double> stop;
  std::optional<double> tolerance;
};

/// What came of a co-simulation step.
struct StepResult {
  double last_time = 0.0;  ///< reached, where `early_return` or the status is Discard
  bool event_needed = false;
  bool terminate = false;
  bool early_return = false;
};

/// What came of an event iteration.
struct EventInfo {
  bool again = false;
  bool terminate = false;
  bool nominals_changed = false;
  bool states_changed = false;
  bool has_next_time = false;
  double next_time = 0.0;
};

/// A time between ticks, or before the first one, as an FMU gives it: a number or a fraction.
struct ClockSpan {
  double decimal = 0.0;  ///< in units of the independent variable; where `resolution` is 0
  std::uint64_t counter = 0;
  std::uint64_t resolution = 0;  ///< parts of a unit of the independent variable
  double Length() const {
    return resolution > 0 ? static_cast<double>(counter) / static_cast<double>(resolution) : decimal;
  }
};

/// One instance of an FMU of any version, for co-simulation or model exchange.
///
/// Calls that fail throw: ModelError where the FMU answers Error or Fatal (with the last thing it logged), or Discard
/// where nothing can be tried instead; LoadError where its library lacks the function. Warnings are logged. After Error
/// only SetState and Reset are possible, after Fatal nothing, for no instance of the FMU. The destructor terminates and
/// frees what is to be terminated and freed. One thread at a time.
class Instance {
 public:
  /// Where an instance stands.
  enum class Mode : std::uint8_t {
    Instantiated,
    Configuration,
    Initialization,
    Event,
    ContinuousTime,
    Step,
    Terminated,
    Failed
  };

  /// The functions that instances of a version call, by their names in the standard ("fmi2DoStep").
  static std::span<const char* const> FunctionsCalled(FmiMajor version);

  /// Loads the library and makes an instance.
  /// \param folder       of the unpacked FMU; stays as long as the instance
  /// \param description  borrowed
  /// \throws LoadError, ModelError
  static std::unique_ptr<Instance> Make(const std::filesystem::path& folder, const ModelDescription& description,
                                        InstanceOptions options);
  virtual ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // Life cycle.
  void EnterConfiguration();
  void ExitConfiguration();
  void EnterInitialization(const Experiment& experiment);
  void ExitInitialization();
  /// Nothing where it is not running.
  void Terminate();
  void Reset();

  // Values: `values` is memory of NativeOf(type), `count` elements in all.
  virtual Native NativeOf(VariableType type) const = 0;
  virtual void Get(VariableType type, std::span<const ValueReference> references, void* values, std::size_t count) = 0;
  virtual void Set(VariableType type, std::span<const ValueReference> references, const void* values,
                   std::size_t count) = 0;
  /// \param texts  one for each element
  virtual void GetTexts(std::span<const ValueReference> references, std::span<std::string> texts) = 0;
  virtual void SetTexts(std::span<const ValueReference> references, std::span<const std::string> texts) = 0;
  /// Bytes as they lie in the FMU: good until a call that may change them. A null pointer is given with its size.
  virtual void ShowBinaries(std::span<const ValueReference> references,
                            std::span<std::span<const std::byte>> bytes) = 0;
  /// The FMU copies them.
  virtual void PutBinaries(std::span<const ValueReference> references,
                           std::span<const std::span<const std::byte>> bytes) = 0;
  void GetBinaries(std::span<const ValueReference> references, std::span<std::string> bytes);
  void SetBinaries(std::span<const ValueReference> references, std::span<const std::string> bytes);

  // Co-simulation.
  /// \returns OK, Warning or Discard
  virtual CallStatus DoStep(double from, double step, bool no_return, StepResult& result) = 0;
  /// \returns whether the FMU takes them; some say that they do and then refuse
  virtual bool SetInputDerivatives(std::span<const ValueReference> references, std::span<const std::int32_t> orders,
                                   std::span<const double> values) = 0;

  // Events.
  void EnterEventMode();
  void EnterStepMode();
  void EnterContinuousTimeMode();
  virtual EventInfo UpdateDiscreteStates() = 0;
  virtual void SetClocks(std::span<const ValueReference> references, std::span<const bool> active) = 0;
  /// Which output and local clocks tick, in event mode. \param active  one for each
  virtual void GetClocks(std::span<const ValueReference> references, std::span<bool> active) = 0;
  /// \param as_fraction  as a fraction, which the clock must support
  /// \returns whether there is a new interval; else `interval` is left as it is
  virtual bool GetInterval(ValueReference clock, bool as_fraction, ClockSpan& interval) = 0;
  virtual ClockSpan GetShift(ValueReference clock, bool as_fraction) = 0;
  virtual void SetInterval(ValueReference clock, const ClockSpan& interval) = 0;

  // Model exchange.
  virtual void SetTime(double time) = 0;
  virtual void SetContinuousStates(std::span<const double> states) = 0;
  virtual void GetContinuousStates(std::span<double> states) = 0;
  virtual void GetNominals(std::span<double> nominals) = 0;
  /// \returns OK or Discard, where other states may be tried
  virtual CallStatus GetDerivatives(std::span<double> derivatives) = 0;
  virtual CallStatus GetEventIndicators(std::span<double> indicators) = 0;
  virtual void CompletedStep(bool no_return, bool& enter_event_mode, bool& terminate) = 0;
  virtual std::size_t StateCount() = 0;
  virtual std::size_t IndicatorCount() = 0;
  virtual void DirectionalDerivative(std::span<const ValueReference> unknowns, std::span<const ValueReference> knowns,
                                     std::span<const double> seed, std::span<double> sensitivity) = 0;

  // State. A handle belongs to this instance.
  /// \param reuse  a handle to write into, or null
  virtual void* GetState(void* reuse = nullptr) = 0;
  void SetState(void* state, Mode mode);
  virtual void FreeState(void* state) = 0;
  virtual std::vector<std::byte> Serialize(void* state) = 0;
  virtual void* Deserialize(std::span<const std::byte> bytes) = 0;

  Mode CurrentMode() const { return mode_; }
  const ModelDescription& Description() const { return *description_; }
  const Interface& Offers() const { return *description_->Of(options_.kind); }
  const InstanceOptions& Options() const { return options_; }
  bool IsFatal() const { return library_->Fatal(); }

  /// Passes its messages on no more.
  void Silence() { target_->Silence(); }

 protected:
  Instance(std::shared_ptr<FmuLibrary> library, const std::filesystem::path& folder,
           const ModelDescription& description, InstanceOptions options);
  /// What the FMU gets as its environment: it stands for `target_` and points to nothing that is read.
  void* Environment() const { return target_.get(); }
  /// Throws what a callback threw while the FMU was called.
  void RequireNoProblem() {
    if (target_->HasProblem()) [[unlikely]]
      target_->ThrowProblem();
  }
  /// Terminates and frees; for the destructors of derived classes.
  void Close() noexcept;
  void Made(bool made);

  virtual void OnEnterConfiguration() = 0;
  virtual void OnExitConfiguration() = 0;
  virtual void OnEnterInitialization(const Experiment& experiment) = 0;
  virtual void OnExitInitialization() = 0;
  virtual void OnTerminate() = 0;
  virtual void OnReset() = 0;
  virtual void OnFree() = 0;
  virtual void OnEnterEventMode() = 0;
  virtual void OnEnterStepMode() = 0;
  virtual void OnEnterContinuousTimeMode() = 0;
  virtual void OnSetState(void* state) = 0;

  /// Judges what a call returned. \returns OK, Warning, and Discard where `may_discard`
  CallStatus Judge(int status, const char* function, bool may_discard = false) {
    if (status == 0) [[likely]]
      return CallStatus::OK;
    return JudgeRest(status, function, may_discard);
  }
  /// The function, or what is thrown where it is missing or may not be called.
  template <class Function>
  Function* Need(Function* function, const char* name) const {
    if (function == nullptr || library_->Fatal().load(std::memory_order_relaxed)) [[unlikely]]
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

 private:
  CallStatus JudgeRest(int status, const char* function, bool may_discard);
  CallbackKey key_;
  std::vector<std::span<const std::byte>> binaries_;
  bool is_made_ = false;
  bool is_counted_ = false;
};

/// Of one version; called by Instance::FunctionsCalled and Instance::Make.
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
