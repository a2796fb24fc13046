#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "composition/run/CompositionRun.hpp"
#include "composition/state/Checkpoint.hpp"
#include "fmi-bridge/outward/ExportInterface.hpp"
#include "fmi-bridge/outward/OutputTap.hpp"
#include "timespace/IStepLimit.hpp"

namespace openmi::outward {

/// The composition inside an exported FMU: takes its inputs and parameters from an array of values, runs to a time, and
/// puts its outputs there.
///
/// The composition is loaded when outputs are asked for the first time, since parameters are arguments of its
/// components, and anew when parameters or inputs changed before the first step. Times are seconds from its begin,
/// counted in nanoseconds.
class ExportedModel {
 public:
  /// Reads what is offered; loads nothing. \throws FileError, FormatError
  explicit ExportedModel(std::filesystem::path resources);
  /// Of a composition where it stands. \param file  with the triggers that its outputs ask for
  ExportedModel(ExportInterface interface, CompositionFile file, Variables variables);
  ExportedModel(const ExportedModel&) = delete;
  ExportedModel& operator=(const ExportedModel&) = delete;
  ~ExportedModel();

  const ExportInterface& Interface() const { return interface_; }
  /// Where values are. \param values  shape [slots]; borrowed
  void UseValues(double* values) { values_ = values; }
  /// Puts start values there.
  void PutStartValues();
  /// The start values of texts.
  std::vector<std::string> StartTexts() const;
  /// Number (after the slots) and text of each output whose text is another than when this was called last.
  std::vector<std::pair<std::uint32_t, std::string>> TakeChangedTexts();

  /// Loads the composition with the parameters as they are, and puts the outputs at its begin.
  /// \param start  seconds
  /// \throws Error
  void Evaluate(double start, std::optional<double> stop, std::vector<std::string> texts);
  /// Steps from `time` to `time + step`, and puts the outputs there. \throws Error
  void Step(double time, double step);
  /// Seconds of the step that the composition makes by itself since Evaluate; 0 where it has none.
  double OwnStepSeconds() const { return own_step_seconds_; }
  /// \param look  called from within Evaluate, Step and Terminate, on their thread, whenever a component of the
  ///              composition begins or ends something there: for those who have others waiting. What it throws is
  ///              lost.
  void SetLookUp(std::function<void()> look) { look_ = std::move(look); }
  /// Finishes the components; values stay. \throws Error
  void Terminate();
  /// As it was made.
  void Reset();

  /// Keeps everything. \param note  comes back with RestoreState
  /// \returns a number for it
  /// \throws Error  a component that keeps no state
  std::int64_t SaveState(std::string note);
  /// \returns the note \throws RangeError  there is no such state \throws Error
  std::string RestoreState(std::int64_t number);
  void FreeState(std::int64_t number) { states_.erase(number); }
  std::string StateToBytes(std::int64_t number);
  /// \returns a number for it \throws FormatError  the bytes are no state of this FMU, or damaged
  std::int64_t BytesToState(std::string_view bytes);

  /// What was found since the last call: notes and warnings of the check and of the run.
  Problems TakeNews();

 private:
  /// What a run was begun with.
  struct Setting {
    double start = 0.0;
    std::optional<double> stop;
    std::vector<std::string> texts;
    std::vector<double> parameters;  // in the order of the variables
    bool operator==(const Setting&) const = default;
  };
  struct State {
    std::string note;
    std::vector<double> values;
    bool has_run = false;
    Setting setting;
    std::vector<double> supplied;
    std::vector<std::byte> taps;
    std::optional<Checkpoint> checkpoint;  // or
    std::vector<std::byte> bytes;          // of it
  };
  Stamp StampOf(double seconds) const;
  std::vector<double> ParametersNow() const;
  void Begin(Setting setting);
  void Watch();
  void ApplyParameters(CompositionFile& file) const;
  void TakeForm();
  void Supply(double time, bool all);
  void PutOutputs(Stamp time);
  void Drop();
  /// \throws ModelError  with what went wrong in the run
  [[noreturn]] void ThrowRunProblems(const std::string& otherwise);
  void Restore(State& state);
  State& Find(std::int64_t number);

  std::filesystem::path resources_;
  std::optional<CompositionFile> file_;  // instead of one among the resources
  Variables variables_;
  ExportInterface interface_;
  double* values_ = nullptr;
  Setting setting_;
  std::unique_ptr<Composition> composition_;
  std::unique_ptr<CompositionRun> run_;
  std::vector<std::pair<StandIn*, std::unique_ptr<OutputTap>>> taps_;  // in the order of the outputs
  std::vector<SuppliedInput*> inputs_;                                 // in the order of the inputs
  std::vector<const ITimeSpaceOutput*> text_outputs_;                  // in the order of the outputs that are texts
  std::vector<std::string> shown_texts_;                               // of those, as the importer knows them
  IStepLimit* limit_ = nullptr;                                        // of the one component with a form of its own
  double own_step_seconds_ = 0.0;
  std::vector<double> supplied_;  // shape [slots]: as supplied last
  std::size_t told_ = 0;          // problems of the run
  Problems news_;
  std::function<void()> look_;
  std::thread::id worker_;  // who evaluates or steps
  std::map<std::int64_t, State> states_;
  std::int64_t next_state_ = 1;
};

}  // namespace openmi::outward
