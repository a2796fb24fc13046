#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/common/items/ValueItems.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/component/IFmuLayer.hpp"
#include "fmi-bridge/fmi/component/MissingInputs.hpp"
#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/IInitialValues.hpp"
#include "timespace/IRemarks.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::fmi {

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
                  public IRemarks {
 public:
  Fmu();
  ~Fmu() override;

  /// The file of the FMU.
  std::string FamilyKey() const override;
  /// What the library of the FMU registers with a libprotobuf that other libraries may share.
  ///
  /// Also the FMU itself, if a process can hold only one instance of it.
  std::vector<ProcessClaim> ProcessClaims() const override { return claims_; }
  std::optional<ProcessClaim> HeldClaim() const override { return held_; }
  /// What the FMU did not receive or give in the current run.
  Problems Remarks() const override;

  const IIdentifiable& KeepCurrentState() override;
  const IIdentifiable& ConvertFromByteArray(std::span<const std::byte> bytes) override;
  void ClearState(const IIdentifiable& state_id) override;

  Limits InitialLimits() const override { return {initial_rounds_.Value(), initial_tolerance_.Value()}; }
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
  enum class InputsAt : std::uint8_t { End, Begin, Linear };
  /// A numeric item and the position of its values in the batches.
  struct OutputPort {
    NumericOutput* item = nullptr;
    const Variable* variable = nullptr;
    const double* only = nullptr;  // in the batch, of a single Float64; null: several values, or another type
    std::size_t batch = 0;
    std::size_t first = 0;
  };
  struct InputPort {
    NumericInput* item = nullptr;
    const Variable* variable = nullptr;
    double* only = nullptr;  // as above, if it is set once for a whole step
    std::size_t batch = 0;
    std::size_t first = 0;
    bool continuous = false;
    bool moves = false;               // the FMU can receive it at times within a step
    bool in_update = false;           // in intermediate update
    std::ptrdiff_t slope_index = -1;  // in slopes_
    std::vector<double> before;       // at the start of the step
    std::vector<double> slope;
    std::vector<double> held;  // the last row, where missing values are held
  };
  /// A clock that is an item, and its ticks so far.
  struct ClockPort {
    Index clock = kNowhere;  // variable
    NumericOutput* output = nullptr;
    NumericInput* input = nullptr;
    std::int64_t ticks = 0;  // of an input: ticks made
  };
  struct ValuePort {
    items::ValueOutput* output = nullptr;
    items::ValueInput* input = nullptr;
    const Variable* variable = nullptr;
    ValueBatch batch;                 // of booleans and enumerations that are set or have a clock
    std::optional<std::size_t> with;  // index in out_ of the batch that it is read with
    std::size_t first = 0;            // its position in that batch
    std::vector<std::string> texts;
    std::vector<std::string> set_texts;  // what was set last, in event mode
    bool known = false;                  // texts are valid
  };

  std::filesystem::path FmuPath() const;
  void ReadDescription();
  void RequireDescription();
  InterfaceKind Kind() const;
  bool IsOfLayer(Index variable) const { return layer_ != nullptr && layer_->Owns(variable); }
  void MakeItems();
  void MakeItem(const Variable& variable, bool is_output, const std::vector<std::size_t>& sizes, std::size_t elements);
  void MakeClockItem(const Variable& variable);
  StepperHooks MakeHooks();
  void MakeStepper();
  /// Sets start values and enters initialization mode.
  void BeginInitialization(double begin);
  /// Returns to initialization mode after it was left: an FMU of FMI 1.0 gives its outputs only afterwards.
  void RequireInitialization();
  void EndInitialization();
  void KeepStartsOfInputs();
  void AddToBatch(std::vector<ValueBatch>& batches, std::size_t& batch, std::size_t& first, const Variable& variable,
                  std::size_t elements) const;
  double FmuTime(std::int64_t ticks) const;
  void FindStep(Stamp to);
  void FindOtherStep(Stamp to);
  static void ShowOutputs(std::vector<ValueBatch>& batches, const std::vector<OutputPort>& ports);
  void ShowMissing();
  void TakeValues(Stamp to);
  void TakeInputs(Stamp from, double step);
  void TakeInputsInEvents();
  std::span<const double> RowOf(InputPort& port);
  ValueBatch& BatchOf(const InputPort& port);
  bool DiscreteInputsChanged();
  bool AskClocks();
  void SetDiscreteInputs(const Clocks& clocks);
  void GetClockedOutputs(const Clocks& clocks);
  void SetNumbersAt(double time);
  void GiveUpSlopes();
  void ReportKeptStates();
  template <class ValueAt>
  bool FillTexts(ValuePort& port, ValueAt&& value_at);
  void SetValues(ValuePort& port);
  void SaveEvents(StateWriter& writer) const;
  void LoadEvents(StateReader& reader);
  void GetOutputs();
  void GetValues(ValuePort& port);
  void PublishValues(Stamp time);
  void SetFmuState(std::span<const std::byte> bytes, Instance::Mode mode);
  void TryState(std::span<const std::byte> bytes, Instance::Mode mode);

  Argument<std::string> fmu_;
  Argument<std::string> kind_;
  Argument<std::string> epoch_;
  Argument<double> fmu_start_;
  Argument<double> tolerance_;
  Argument<double> absolute_tolerance_;
  Argument<std::string> solver_;
  Argument<std::string> linear_solver_;
  Argument<std::string> tolerance_for_;
  Argument<std::string> inputs_at_;
  Argument<std::string> more_outputs_;
  Argument<std::string> set_;
  Argument<std::string> event_mode_;
  Argument<bool> early_return_;
  Argument<bool> retry_steps_;
  Argument<bool> try_states_;
  Argument<std::string> missing_inputs_;
  Argument<int> initial_rounds_;
  Argument<double> initial_tolerance_;
  Argument<std::string> log_file_;
  Argument<std::string> log_categories_;
  ResultsFolder results_folder_;

  std::filesystem::path path_;  // source of description_
  std::shared_ptr<const ModelDescription> description_;
  std::unique_ptr<IFmuLayer> layer_;  // null: an ordinary FMU
  FmuArguments arguments_;
  std::shared_ptr<const UnpackedArchive> files_;
  std::vector<std::size_t> elements_;
  std::vector<StartValue> start_values_;
  std::vector<ProcessClaim> claims_;
  std::optional<ProcessClaim> held_;
  std::string no_library_;  // why there is none for this machine; empty: there is one

  std::unique_ptr<LogFile> log_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<IStepper> stepper_;
  CoSimulation* co_simulation_ = nullptr;  // stepper_, if it is one
  ModelExchange* model_exchange_ = nullptr;
  void* state_ = nullptr;  // memory for states, reused

  std::vector<ValueBatch> out_;
  std::vector<OutputPort> outputs_;
  std::vector<OutputPort> clocked_outputs_;  // each in a separate batch
  std::vector<ValueBatch> clocked_out_;
  std::vector<ValueBatch> in_;            // discrete inputs without a clock
  std::vector<ValueBatch> discrete_set_;  // their values that were set last, if they are set in event mode
  std::vector<ValueBatch> continuous_in_;
  std::vector<ValueBatch> moving_in_;   // continuous inputs of co-simulation that are set in intermediate update
  std::vector<ValueBatch> clocked_in_;  // each in a separate batch
  std::vector<ClockPort> clock_ports_;
  std::vector<InputPort> inputs_;
  std::vector<std::unique_ptr<ValuePort>> value_outputs_;
  std::vector<std::unique_ptr<ValuePort>> value_inputs_;
  std::vector<std::pair<NumericInput*, const Variable*>> numeric_inputs_;
  std::vector<std::pair<NumericOutput*, const Variable*>> numeric_outputs_;
  std::vector<ValueReference> slope_references_;
  std::vector<std::int32_t> slope_orders_;
  std::vector<double> slopes_;

  MissingInputs missing_;
  std::map<std::string, double> kept_states_;  // times of the FMU by id of the state
  Problems remarks_;

  InputsAt mode_ = InputsAt::End;
  bool first_step_ = true;
  bool has_default_step_ = false;  // nothing specifies the length of a step
  bool knows_states_ = false;      // the stepper knows the time of a kept state
  bool in_events_ = false;         // discrete inputs are set in event mode
  bool is_discrete_set_ = false;   // discrete_set_ and the like hold values
  bool ended_ = false;
  std::optional<Stamp> missing_since_;  // the FMU ended the simulation and was updated again
  bool takes_inputs_ = false;           // inputs need work before a step
  bool are_inputs_plain_ = true;        // that work is to store single numbers
  double begin_ = 0.0;                  // FMU time at the start of the run
  double seconds_per_unit_ = 1.0;
  double step_ = 0.0;  // of a whole step, in FMU time
  std::int64_t step_ticks_ = 0;
  // The current step in FMU time, and the number of the whole step that would start at its end.
  double from_ = 0.0;
  double until_ = 0.0;
  double length_ = 0.0;
  std::int64_t next_number_ = -1;
  std::int64_t next_ticks_ = -1;
  std::optional<double> initial_stop_;
  bool is_entered_ = false;  // between EnterInitialization and Start
  // Inputs that were set between them.
  std::map<std::string, std::vector<double>, std::less<>> initial_numbers_;
  std::map<std::string, std::vector<Value>, std::less<>> initial_values_;
};

}  // namespace openmi::fmi
