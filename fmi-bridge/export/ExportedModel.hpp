#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/export/ExportedItems.hpp"
#include "fmi-bridge/export/ExportedState.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi::exported {

/// The composition inside an exported FMU: takes inputs and parameters from an array of values, runs to a time, and
/// writes its outputs to that array.
///
/// The composition is loaded when outputs are requested for the first time, because parameters are arguments of its
/// components. It is loaded again when parameters or inputs changed before the first step. Times are seconds from its
/// start, counted in nanoseconds.
class ExportedModel {
 public:
  /// Reads the interface of the model; loads nothing.
  /// \param resources  folder of the resources of the FMU
  /// \throws FileError    there is no interface in the resources
  /// \throws FormatError  the interface is damaged, or the component has no special form
  explicit ExportedModel(std::filesystem::path resources);
  /// Uses a composition in its original folder.
  /// \param file  with the triggers that its outputs need
  ExportedModel(ExportInterface interface, CompositionFile file, Variables variables);
  ExportedModel(const ExportedModel&) = delete;
  ExportedModel& operator=(const ExportedModel&) = delete;
  ~ExportedModel();

  const ExportInterface& Interface() const { return interface_; }
  /// Sets the array of values.
  /// \param values  shape [slots]; borrowed
  void UseValues(double* values) { values_ = values; }
  /// Writes the start values into the array.
  void PutStartValues();
  /// The start values of texts.
  std::vector<std::string> StartTexts() const;
  /// Number (from `slots` on) and text of each output whose text has changed since the last call.
  std::vector<std::pair<std::uint32_t, std::string>> TakeChangedTexts() { return items_.TakeChangedTexts(); }

  /// Loads the composition with the present parameters, and computes the outputs at its start.
  /// \param start  seconds
  /// \param stop   end of the run in seconds; nothing: that of the composition
  /// \param texts  values of the variables that are texts
  /// \throws Error  the composition cannot be loaded or started
  void Evaluate(double start, std::optional<double> stop, std::vector<std::string> texts);
  /// Steps from `time` to `time + step`, both in seconds, and writes the outputs there.
  /// \throws Error  a component failed
  void Step(double time, double step);
  /// The shortest step in seconds that a component reported at Evaluate; 0 if none reports a step.
  double OwnStepSeconds() const { return own_step_seconds_; }
  /// Sets a function that is called during Evaluate, Step and Terminate whenever a component of the composition starts
  /// or ends a call.
  ///
  /// For callers that must serve others meanwhile.
  /// \param look  called on the thread of the call; its exceptions are lost
  void SetLookUp(std::function<void()> look) { look_ = std::move(look); }
  /// Finishes the components; the values stay.
  /// \throws Error  a component failed
  void Terminate();
  /// Returns to the state after construction.
  void Reset();

  /// Keeps the complete state.
  /// \param note  any text; RestoreState returns it
  /// \returns the number of the state
  /// \throws Error  a component cannot keep its state
  std::int64_t SaveState(std::string note);
  /// Restores a state that was kept.
  /// \returns the note
  /// \throws RangeError  there is no such state
  /// \throws Error       a component failed
  std::string RestoreState(std::int64_t number);
  void FreeState(std::int64_t number) { states_.Free(number); }
  /// The bytes of a state that was kept.
  /// \throws RangeError  there is no such state
  /// \throws Error       the state cannot be written
  std::string StateToBytes(std::int64_t number) { return states_.ToBytes(number, interface_, run_.get()); }
  /// Adds a state from its bytes.
  /// \returns the number of the state
  /// \throws FormatError  the bytes are not a state of this FMU, or they are damaged
  std::int64_t BytesToState(std::string_view bytes) { return states_.FromBytes(bytes, interface_); }

  /// The notes and warnings of the check and the run since the last call.
  Problems TakeNews();

 private:
  Stamp StampOf(double seconds) const;
  std::vector<double> ParametersNow() const;
  void Begin(RunSetting setting);
  void Watch();
  void ApplyParameters(CompositionFile& file) const;
  void TakeForm();
  void Drop();
  /// \throws ModelError  with the problems of the run, or `otherwise` if there are none
  [[noreturn]] void ThrowRunProblems(const std::string& otherwise);
  void Restore(ExportedState& state);

  std::filesystem::path resources_;
  std::optional<CompositionFile> file_;  // used instead of the file in the resources
  Variables variables_;
  ExportInterface interface_;
  double* values_ = nullptr;
  RunSetting setting_;
  std::unique_ptr<Composition> composition_;
  std::unique_ptr<CompositionRun> run_;
  ExportedItems items_{interface_};
  ExportedStates states_;
  IStepLimit* limit_ = nullptr;  // of the one component with a special form
  double own_step_seconds_ = 0.0;
  std::size_t reported_ = 0;  // number of problems of the run that were reported
  Problems news_;
  std::function<void()> look_;
  std::thread::id worker_;  // thread that evaluates or steps
};

}  // namespace openmi::exported
