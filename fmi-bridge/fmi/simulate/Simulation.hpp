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
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"

namespace openmi::fmi {

/// How one FMU is simulated alone. Times in units of its independent variable.
struct SimulationOptions {
  std::optional<InterfaceKind> kind;  ///< co-simulation where the FMU can, else model exchange
  std::optional<double> start;        ///< of the default experiment, else 0
  std::optional<double> stop;         ///< of the default experiment, else start + 1
  std::optional<double> step;         ///< of the default experiment, else a 500th
  std::optional<double> tolerance;    ///< of the default experiment, else none and 1e-6 for solvers
  SolverMethod method = SolverMethod::Bdf;
  LinearSolver linear = LinearSolver::Automatic;
  ToleranceFor tolerance_for = ToleranceFor::Result;
  std::vector<std::pair<std::string, std::string>> start_values;  ///< names and values as ReadStartValue reads them
  std::optional<std::filesystem::path> inputs;                    ///< CSV
  std::vector<std::string> outputs;                               ///< variables to record; none: all outputs
  bool event_mode = false;
  bool early_return = false;
  bool logging = false;
  std::vector<std::string> log_categories;  ///< as CheckLogCategories takes them; none: all
  LogSink log;
  std::function<void(double steps)> planned;  ///< told before the first step how many there will be
  std::function<bool(double part)> progress;  ///< told how much is done; false ends the simulation
};

/// A recorded value.
struct RecordedColumn {
  std::string name;  ///< "x[1,2]" for an element of an array
  std::string unit;
  bool is_text = false;      ///< a text, or bytes in hexadecimal digits
  bool is_whole = false;     ///< integers, booleans, enumerations by number
  std::size_t position = 0;  ///< in the numbers, or in the texts
};

/// Takes what a simulation records.
class IRecorder {
 public:
  virtual ~IRecorder() = default;
  virtual void Begin(std::span<const RecordedColumn> columns) = 0;
  virtual void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) = 0;
};

/// How a simulation ended.
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

/// Simulates one FMU: values are recorded at the start and after each step; step n begins at start + n * step.
/// \param folder  of the unpacked FMU
/// \throws Error
SimulationResult Simulate(const std::filesystem::path& folder, const ModelDescription& description,
                          const SimulationOptions& options, IRecorder& recorder);

/// Writes rows as CSV: times first, shortest numbers that read back exactly.
class CsvRecorder final : public IRecorder {
 public:
  /// \param write  takes text; called for many rows at once
  explicit CsvRecorder(std::function<void(std::string_view)> write) : write_(std::move(write)) {}
  void Begin(std::span<const RecordedColumn> columns) override;
  void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) override;
  /// Writes what is left.
  void End();

 private:
  std::function<void(std::string_view)> write_;
  std::vector<RecordedColumn> columns_;
  std::string text_;
};

/// Keeps rows in memory, column by column.
class MemoryRecorder final : public IRecorder {
 public:
  void Begin(std::span<const RecordedColumn> columns) override;
  void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) override;

  std::vector<RecordedColumn> columns;
  std::vector<double> times;
  std::vector<std::vector<double>> numbers;     ///< by position, then row
  std::vector<std::vector<std::string>> texts;  ///< by position, then row
  /// The numbers of a column. \throws RangeError  there is none of that name
  const std::vector<double>& Column(const std::string& name) const;
};

}  // namespace openmi::fmi
