#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"
#include "fmi-bridge/fmi/component/ClockPorts.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/component/FmuSettings.hpp"
#include "fmi-bridge/fmi/component/FmuSource.hpp"
#include "fmi-bridge/fmi/component/IFmuLayer.hpp"
#include "fmi-bridge/fmi/component/InputPorts.hpp"
#include "fmi-bridge/fmi/component/OutputPorts.hpp"
#include "fmi-bridge/fmi/component/StepTimes.hpp"
#include "fmi-bridge/fmi/component/ValuePorts.hpp"
#include "fmi-bridge/fmi/run/BusFrames.hpp"
#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::fmi {

/// The states of an FMU that a component holds.
struct FmuStates {
  std::optional<StateHandle> memory;   ///< for states, reused
  std::map<std::string, double> kept;  ///< times of the FMU by id of the state
  std::optional<StateFile> start;      ///< of a file, between EnterInitialization and Start
};

/// An FMU as a component: `openmi.fmi.Fmu` of the assembly `openmi-fmi-bridge`.
///
/// The argument `fmu` names the archive or the unpacked folder; FindArchive searches it in the folders of libraries. As
/// soon as it is set, the component reads the description, and each variable that may be set before the run becomes an
/// argument.
///
/// Initialize makes the items and needs no library. Prepare loads the library and initializes an instance. Update makes
/// a communication step. Finish terminates and frees the instance, also after a failure.
///
/// Numbers are rows of values; an array has an element set. Booleans and enumerations are qualities; texts and bytes
/// are values of their kind. An output clock is an output that counts its ticks; a triggered input clock is an input
/// that ticks as often as the number it receives has increased. An input is used if it is linked; else its start value
/// stays.
class Fmu final : public StatefulSteppingComponent,
                  public IFamilyKey,
                  public IProcessClaims,
                  public IInitialValues,
                  public IRemarks,
                  public IIcon,
                  public ITunable {
 public:
  Fmu();
  ~Fmu() override;

  /// The file of the FMU.
  std::string FamilyKey() const override { return source_.Key(); }
  /// What the library of the FMU registers with a libprotobuf that other libraries may share.
  ///
  /// Also the FMU itself, if a process can hold only one instance of it.
  std::vector<ProcessClaim> ProcessClaims() const override { return source_.Claims(); }
  std::optional<ProcessClaim> HeldClaim() const override { return source_.Held(); }
  /// What the FMU did not receive or give in the current run.
  Problems Remarks() const override;
  std::string Icon() const override;
  /// Tunable parameters, from FMI 2.0 on.
  bool IsTunable(const std::string& argument) const override { return arguments_.IsTunable(Model(), argument); }

  const IIdentifiable& KeepCurrentState() override;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override;
  void ClearState(const IIdentifiable& state_id) override;

  Limits InitialLimits() const override {
    const bool has_state = settings_.start_state.HasValue();  // then inputs have the values of that state
    return {has_state ? 0 : settings_.initial_rounds.Value(), settings_.initial_tolerance.Value()};
  }
  /// Makes the instance and brings it to initialization mode.
  void EnterInitialization() override;
  void SetInitialNumbers(std::string_view input, std::span<const double> row) override;
  void SetInitialValues(std::string_view input, std::span<const Value> values) override;
  void ShowInitialOutputs() override;

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  bool OnValidate(std::vector<std::string>& messages) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  int StateVersion() const override { return 3; }

 private:
  /// What a step does for inputs other than texts and categories: nothing, InputPorts::TakePlain, or everything.
  enum class Taking : std::uint8_t { None, Plain, Full };
  /// An input that was set between EnterInitialization and Start.
  using InitialInput = std::variant<std::vector<double>, std::vector<Value>>;

  void ReadDescription();
  const ModelDescription& Model() const { return source_.Description(); }
  InterfaceKind Kind() const;
  InputsAt ItsInputsAt() const;
  /// The relative tolerance; no value: none is given.
  std::optional<double> Tolerance() const;
  bool IsOfLayer(Index variable) const { return layer_ != nullptr && layer_->Owns(variable); }
  void MakeItems();
  void MakeItem(const Variable& variable, bool is_output, const std::vector<std::size_t>& sizes);
  /// \param is_bus  whether operations of a bus belong to the clock
  void MakeClockItem(const Variable& variable, bool is_output, bool is_bus);
  /// \throws ArgumentError  rows within steps are wanted, and the FMU gives no derivatives of outputs
  void CheckRowsWithin() const;
  /// Adds a warning for readers of the results, and writes it to the log of the FMU.
  void Remark(const std::string& item, const std::string& problem, const std::string& remedy);
  InstanceOptions MakeOptions();
  void MakeStepper();
  /// Whether discrete inputs are set in event mode.
  bool InEvents() const { return co_simulation_ == nullptr || instance_->Options().event_mode; }
  /// Gives an FMU that runs the new value of a tunable parameter: at once, or in an event at the start of the next
  /// step.
  void Tune(Index variable, const ArgumentItem& argument);
  /// Returns to initialization mode after it was left: an FMU of FMI 1.0 gives its outputs only afterwards.
  void RequireInitialization();
  void EndInitialization();
  void TakeInputs(Stamp from, Stamp to);
  void TakeInputsInEvents(Stamp from, Stamp to);
  void GetOutputs();
  void ShowOutputs();
  void ShowMissing(Stamp time);
  /// Reports to the stepper how far back the FMU may be set.
  void ReportKeptStates();
  /// The FMU's own time at the start of the run.
  double OwnStart();
  /// Sets the instance to the state of a file.
  void TakeStartState();
  void WriteEndState();
  /// \throws StateError  the FMU does not take the state
  void TryState(ByteView bytes, Instance::Mode mode);
  void TryStateInOtherHost(ByteView bytes, Instance::Mode mode);
  Where Place() const { return {.file = source_.Path().string(), .component = Caption()}; }

  FmuSettings settings_;
  FmuSource source_;
  std::unique_ptr<IFmuLayer> layer_;  // null: an ordinary FMU
  FmuArguments arguments_;

  std::unique_ptr<LogFile> log_;
  std::unique_ptr<BusFrames> frames_;
  std::unique_ptr<Instance> instance_;
  mutable FmuStates states_;
  std::unique_ptr<IStepper> stepper_;
  CoSimulation* co_simulation_ = nullptr;  // stepper_; null in other kinds

  StepTimes times_;
  InputPorts inputs_;
  OutputPorts outputs_;
  ValuePorts values_;
  ClockPorts clocks_;
  Taking taking_ = Taking::None;
  std::map<std::string, InitialInput, std::less<>> initial_inputs_;

  Problems remarks_;
  bool ended_ = false;
  std::optional<Stamp> missing_since_;  // the FMU ended the simulation and was updated again
};

}  // namespace openmi::fmi
