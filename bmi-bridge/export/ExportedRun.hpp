#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bmi-bridge/export/ExportedGrid.hpp"
#include "composition/embed/OutputView.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::bmi {

/// A variable of an exported run: an output, or an input that no link feeds.
struct ExportedVariable {
  std::string name;  ///< "item" of a single component, "component.item" of a composition
  std::string item;  ///< "component.item"
  std::string units;
  bool is_input = false;
  std::size_t grid = 0;
  std::vector<double> values;  ///< stays at its address, where the caller may write those of inputs; 0 at first
  bool is_set = false;         ///< an input: it is supplied, because it has no default, or the caller set it
};

/// A composition, or a component of an OMI file, as the caller of a BMI library drives it.
///
/// An input without a default is supplied from the start, with 0 until it is set. An input with a default is supplied
/// once it was set, which must happen before the first update; else the component keeps its default. Values that were
/// set hold until they are set again. Results are not written. Times are seconds since the start of the run.
class ExportedRun {
 public:
  /// Loads and links the components.
  /// \param config  the composition or OMI file
  /// \throws FileError    there is no such file
  /// \throws FormatError  the composition has errors, or no Run element
  explicit ExportedRun(const std::string& config);
  ~ExportedRun();
  ExportedRun(const ExportedRun&) = delete;
  ExportedRun& operator=(const ExportedRun&) = delete;

  const std::string& Name() const { return name_; }
  std::vector<ExportedVariable>& Variables() { return variables_; }
  const std::vector<ExportedGrid>& Grids() const { return grids_; }
  /// \throws ArgumentError  there is no such variable
  ExportedVariable& Find(std::string_view name);

  double Now() const;
  double End() const { return InSeconds(*file_.run->to); }
  /// The longest of the next steps of the components that the run asks for.
  double StepLength();
  /// Makes passes until the run has reached `time`; whole steps of the components, so it may go further.
  /// \throws StateError  the run is over
  /// \throws ModelError  a component failed
  void AdvanceTo(double time);

  /// The present values of a variable; those of an output are read from the run.
  const std::vector<double>& Values(ExportedVariable& variable);
  /// States that `variable.values` were set.
  /// \throws StateError  the first values of an input come after an update
  void Set(ExportedVariable& variable);

  /// Whether all components keep states.
  bool KeepsStates();
  Bytes State();
  /// \throws FormatError, ArgumentError  the bytes are of another composition, or were changed
  void SetState(ByteView bytes);
  /// Finishes the components.
  void Finish();

 private:
  void Load();
  void ReadItems();
  /// Prepares the components, if that was not done.
  void Begin();
  void SupplyInputs();
  void ShowOutputs();
  /// Rounded to microseconds, up to which stamps are exact.
  double InSeconds(Stamp time) const;

  CompositionFile file_;
  bool is_single_ = false;
  std::string name_;
  std::vector<ExportedVariable> variables_;
  std::vector<ExportedGrid> grids_;
  std::unique_ptr<Composition> composition_;
  std::unique_ptr<CompositionRun> run_;  // null: not begun
  std::vector<std::pair<ExportedVariable*, OutputView>> views_;
  bool has_advanced_ = false;
};

}  // namespace openmi::bmi
