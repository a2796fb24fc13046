#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/compile/CompileFmu.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"

namespace openmi::fmi {

/// Settings for the simulation of one FMU alone. Times in units of its independent variable.
struct SimulationOptions {
  std::optional<InterfaceKind> kind;   ///< default: as DefaultKind
  std::optional<double> start;         ///< default: that of the default experiment, else 0
  std::optional<double> stop;          ///< default: that of the default experiment, else start + 1
  std::optional<double> step;          ///< default: as DefaultStepSeconds, else a 500th
  std::optional<double> record_every;  ///< a whole number of steps; default: a row after each step
  std::optional<double> tolerance;     ///< default: that of the default experiment, else none and 1e-6 for solvers
  CompileOptions compile = {};
  SolverMethod method = SolverMethod::Bdf;
  LinearSolver linear = LinearSolver::Automatic;
  ToleranceFor tolerance_for = ToleranceFor::Result;
  std::vector<std::pair<std::string, std::string>> start_values;  ///< names and values as ReadStartValue reads them
  std::optional<std::filesystem::path> inputs;                    ///< CSV
  std::string start_state;  ///< file of another run's state, from whose time this one goes on; empty: none
  std::string end_state;    ///< file for the state at the end, unless the FMU ended the simulation; empty: none
  std::vector<std::string> outputs;  ///< variables to record; empty: all outputs, but those of
                                     ///< clocks in scheduled execution only
  bool event_mode = false;
  bool early_return = false;
  bool logging = false;
  std::vector<std::string> log_categories;  ///< as CheckLogCategories takes them; empty: all
  LogSink log;
  std::function<void(const std::string&)> note;  ///< receives what a user should know before the simulation
  std::function<void(double steps)> planned;     ///< receives the number of steps before the first step
  std::function<bool(double part)> progress;     ///< receives the share that is done; false ends the simulation
};

/// A column of recorded values.
struct RecordedColumn {
  std::string name;  ///< "x[1,2]" for an element of an array
  std::string unit;
  bool is_text = false;      ///< a text, or bytes in hexadecimal digits
  bool is_whole = false;     ///< integers, booleans, enumerations by number
  std::size_t position = 0;  ///< position in the numbers, or in the texts
};

/// Receives the recorded rows of a simulation.
class IRecorder {
 public:
  virtual ~IRecorder() = default;
  /// Called once before the first row.
  virtual void Begin(std::span<const RecordedColumn> columns) = 0;
  /// Called for each recorded time.
  /// \param time     in units of the independent variable
  /// \param numbers  valid during the call only
  /// \param texts    valid during the call only
  virtual void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) = 0;
};

/// The result of a simulation.
struct SimulationResult {
  double start = 0.0;
  double end = 0.0;
  double step = 0.0;
  std::size_t steps = 0;
  InterfaceKind kind = InterfaceKind::CoSimulation;
  bool ended_by_fmu = false;
  bool interrupted = false;
  std::optional<SolverFigures> solver;
};

/// Simulates one FMU; values are recorded at the start, after each step or every some steps, and at the end. Step n
/// starts at start + n * step.
/// \param folder  folder of the unpacked FMU
/// \throws ArgumentError  an option does not fit the FMU or the other options
/// \throws Error  the FMU cannot be loaded or used, or fails
SimulationResult Simulate(const std::filesystem::path& folder, const ModelDescription& description,
                          const SimulationOptions& options, IRecorder& recorder);

/// Writes rows as CSV: the time first, numbers in the shortest form from which the same number is read.
class CsvRecorder final : public IRecorder {
 public:
  /// \param write  receives text; called for many rows at once
  explicit CsvRecorder(std::function<void(std::string_view)> write) : write_(std::move(write)) {}
  void Begin(std::span<const RecordedColumn> columns) override;
  void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) override;
  /// Writes the remaining rows.
  void End();

 private:
  std::function<void(std::string_view)> write_;
  std::vector<RecordedColumn> columns_;
  std::string text_;
};

/// Stores rows in memory, column by column.
class MemoryRecorder final : public IRecorder {
 public:
  void Begin(std::span<const RecordedColumn> columns) override;
  void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) override;

  std::vector<RecordedColumn> columns;
  std::vector<double> times;
  std::vector<std::vector<double>> numbers;     ///< by position, then row
  std::vector<std::vector<std::string>> texts;  ///< by position, then row
  /// The numbers of a column.
  /// \throws RangeError  there is no column of that name
  const std::vector<double>& Column(const std::string& name) const;
};

}  // namespace openmi::fmi
