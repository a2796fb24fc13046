#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgWriter.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr double kManySteps = 1e8;  // minutes to hours: warns users who misjudged the step

struct FmuRunArguments {
  std::string file;
  std::string kind = "auto";
  std::optional<double> start, stop, step, record_every, tolerance;
  std::string solver = "bdf";
  std::string linear_solver = "auto";
  std::string tolerance_for = "result";
  std::vector<std::string> settings;
  std::string input, start_state, end_state;
  std::string output;
  std::string plot;
  std::vector<std::string> variables;
  bool compile = false;
  std::string compiler;
  bool event_mode = false;
  bool early_return = false;
  bool log = false;
  std::vector<std::string> log_categories;
  bool quiet = false;
};

/// Ends a simulation between two steps. If the FMU stays in a step, it ends the program a few seconds after the first
/// signal, or at the second signal.
class Ending {
 public:
  /// \param last_words  called on another thread, before the program ends within a step
  explicit Ending(std::function<void()> last_words) : last_words_(std::move(last_words)) {
    sem_init(&signals_, 0, 0);
    watch_ = std::thread([this] { Watch(); });
  }
  ~Ending() {
    Done();
    watch_.join();
    sem_destroy(&signals_);
  }
  /// No step runs any more.
  void Done() {
    done_ = true;
    sem_post(&signals_);
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  /// May be called in a signal handler.
  void Stop() {
    asked = true;
    sem_post(&signals_);
  }
  std::atomic<bool> asked = false;

 private:
  void Watch() {
    while (sem_wait(&signals_) != 0) {  // interrupted
    }
    if (done_) return;
    constexpr std::time_t kPatience = 3;  // seconds
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += kPatience;
    while (sem_timedwait(&signals_, &until) != 0 && errno == EINTR) {
    }
    if (done_) return;
    last_words_();
    _exit(kInterrupted);
  }

  std::function<void()> last_words_;
  sem_t signals_{};
  std::atomic<bool> done_ = false;
  std::thread watch_;
};

/// Writes CSV, and keeps what is drawn.
class Recorder final : public fmi::IRecorder {
 public:
  Recorder(std::FILE* csv, bool keep)
      : csv_(csv != nullptr ? std::make_unique<fmi::CsvRecorder>([csv](std::string_view text) {
          if (std::fwrite(text.data(), 1, text.size(), csv) != text.size()) {
            throw CannotWrite{"expected an output that takes the recorded values, found it closed or full"};
          }
        })
                            : nullptr),
        keep_(keep) {}
  void Begin(std::span<const fmi::RecordedColumn> columns) override {
    if (csv_) csv_->Begin(columns);
    if (keep_) kept.Begin(columns);
  }
  void Row(double time, std::span<const double> numbers, std::span<const std::string> texts) override {
    const std::lock_guard lock(mutex_);
    if (csv_) csv_->Row(time, numbers, texts);
    if (keep_) kept.Row(time, numbers, texts);
    last_.assign(numbers.begin(), numbers.end());
  }
  /// Whether there are values, and none in the last row is a number.
  bool EndsWithoutNumbers() const {
    return !last_.empty() && std::ranges::all_of(last_, [](double value) { return std::isnan(value); });
  }
  /// Writes the rest; on any thread.
  void End() {
    const std::lock_guard lock(mutex_);
    if (csv_) csv_->End();
  }
  fmi::MemoryRecorder kept;

 private:
  std::unique_ptr<fmi::CsvRecorder> csv_;
  bool keep_;
  std::vector<double> last_;
  std::mutex mutex_;
};

/// One picture for each unit, over the seconds of the FMU.
std::string Drawn(const fmi::MemoryRecorder& kept) {
  std::map<std::string, std::vector<const fmi::RecordedColumn*>> by_unit;
  for (const fmi::RecordedColumn& column : kept.columns) {
    if (!column.is_text) by_unit[column.unit].push_back(&column);
  }
  std::vector<std::string> pictures;
  for (const auto& [unit, columns] : by_unit) {
    LinePlot plot{.unit = unit, .series = {}, .spans = {}};
    for (const fmi::RecordedColumn* column : columns) {
      plot.series.push_back({.label = column->name,
                             .times = kept.times,
                             .values = kept.numbers[column->position],
                             .shape = column->is_whole ? PlotShape::Step : PlotShape::Line});
    }
    const std::string title = columns.size() > 1 ? std::string()
                              : unit.empty()     ? columns.front()->name
                                                 : columns.front()->name + " [" + PrettyUnit(unit) + "]";
    pictures.push_back(LinePlotSvg(plot, {.use = SvgUse::Standalone, .title = title, .in_seconds = true}));
  }
  return Stacked(pictures);
}

/// Warns of what can be seen before the run and does not prevent it.
void Warn(const FmuRunArguments& arguments, const fmi::ModelDescription& description) {
  const auto warn = [&](const std::string& text) {
    PrintLine(stderr, PrintableText("warning: " + description.model_name + ": " + text));
  };
  const auto& offers = description.Of(fmi::kWaysToRun.Find(arguments.kind).value_or(fmi::DefaultKind(description)));
  if (offers && offers->needs_execution_tool) {
    warn(
        fmt::format("expected an FMU that runs by itself, found one that needs {} (needsExecutionTool); make sure that "
                    "the program is installed on this machine",
                    fmi::ToolOf(description)));
  }
  const bool has_output = std::ranges::any_of(
      description.variables, [](const fmi::Variable& one) { return one.causality == fmi::Causality::Output; });
  if (!has_output && arguments.variables.empty()) {
    warn("expected outputs to record, found none: only times are written; choose variables with --variable");
  }
}

/// \throws UsageFault  a time or a tolerance that cannot be
void CheckNumbers(const FmuRunArguments& arguments, const fmi::ModelDescription& description) {
  const std::initializer_list<std::pair<std::optional<double>, const char*>> above_zero = {
      {arguments.step, "--step"}, {arguments.record_every, "--record-every"}, {arguments.tolerance, "--tolerance"}};
  for (const auto& [value, option] : above_zero) {
    if (!value || *value > 0.0) continue;
    throw UsageFault{fmt::format("expected a number above 0 for {}, found {}", option, *value)};
  }
  if (!arguments.start_state.empty()) return;  // which has the start
  const double start = arguments.start.value_or(description.experiment.start.value_or(0.0));
  if (arguments.stop && !(*arguments.stop >= start)) {
    throw UsageFault{
        fmt::format("expected a time at or after the start, {}, for --stop-time, found {}", start, *arguments.stop)};
  }
}

/// \throws UsageFault  a file would be written over what the run reads or writes, too
void CheckFiles(const FmuRunArguments& arguments) {
  struct Named {
    const std::string* path;
    const char* what;
    bool is_written;
  };
  const Named files[] = {{&arguments.file, "the FMU", false},
                         {&arguments.input, "--input", false},
                         {&arguments.start_state, "--start-state", false},
                         {&arguments.output, "-o", true},
                         {&arguments.plot, "--plot", true},
                         {&arguments.end_state, "--end-state", true}};
  for (const Named& written : files) {
    if (!written.is_written || written.path->empty() || *written.path == "-") continue;
    for (const Named* other = files; other != &written; ++other) {
      // The state at the end replaces that of the start when it is complete.
      if (other->path->empty() || (other->path == &arguments.start_state && written.path == &arguments.end_state)) {
        continue;
      }
      std::error_code error;
      if (std::filesystem::equivalent(*written.path, *other->path, error) ||
          std::filesystem::absolute(*written.path).lexically_normal() ==
              std::filesystem::absolute(*other->path).lexically_normal()) {
        throw UsageFault{fmt::format("expected another file for {}, found that of {}", written.what, other->what)};
      }
    }
  }
}

/// \throws UsageFault  several variables after one --variable
void CheckNames(const FmuRunArguments& arguments, const fmi::ModelDescription& description) {
  const fmi::VariableNames names(description);
  for (const std::string& name : arguments.variables) {
    if (names.Find(name) != fmi::kNowhere) continue;
    std::string remedy;
    for (const std::string& one : Split(name, ",")) {
      if (names.Find(one) == fmi::kNowhere) remedy.clear();
      if (names.Find(one) == fmi::kNowhere) break;
      remedy += " --variable " + one;
    }
    if (remedy.empty()) continue;
    throw UsageFault{"expected one variable after --variable, found '" + name + "'; repeat the option:" + remedy};
  }
}

/// The outputs without those that are addresses in memory: two of the three integers of a message of OSMP.
/// \param records_clocked  whether outputs of clocks are recorded
/// \returns empty if there are none of these
std::vector<std::string> OutputsWithoutAddresses(const fmi::ModelDescription& description, bool records_clocked) {
  std::vector<std::string> outputs;
  bool has_addresses = false;
  for (const fmi::Variable& one : description.variables) {
    if (one.causality != fmi::Causality::Output || one.type == fmi::VariableType::Clock) continue;
    if (!one.clocks.empty() && !records_clocked) continue;  // as by default
    const bool is_address =
        (one.name.ends_with(".base.lo") || one.name.ends_with(".base.hi")) &&
        std::ranges::find(one.annotations, "net.pmsf.osmp", &fmi::Annotation::type) != one.annotations.end();
    has_addresses = has_addresses || is_address;
    if (!is_address) outputs.push_back(one.name);
  }
  return has_addresses ? outputs : std::vector<std::string>();
}

int Execute(const FmuRunArguments& arguments) {
  if (!std::filesystem::exists(arguments.file)) {
    PrintLine(stderr, PrintableText(arguments.file + ": expected an FMU, found no such file"));
    return kMissingFile;
  }
  const auto files = UnpackedArchive::Open(arguments.file);
  Problems problems;
  const fmi::ModelDescription description = fmi::ReadFmuDescription(arguments.file, problems);
  if (HasErrors(problems)) {
    PrintProblems(stderr, problems);
    return kBadInput;
  }
  Warn(arguments, description);
  CheckNumbers(arguments, description);
  CheckNames(arguments, description);
  CheckFiles(arguments);
  ExpectFolder(arguments.end_state, "--end-state");
  for (const std::string* file : {&arguments.input, &arguments.start_state}) {
    if (!file->empty()) ExpectFile(*file);
  }
  if (!arguments.plot.empty()) ExpectSvg(arguments.plot, "--plot");
  fmi::SimulationOptions options;
  options.kind = fmi::kWaysToRun.Find(arguments.kind);
  options.start = arguments.start;
  options.stop = arguments.stop;
  options.step = arguments.step;
  options.record_every = arguments.record_every;
  options.tolerance = arguments.tolerance;
  options.method = *fmi::kSolverMethods.Find(arguments.solver);
  options.linear = *fmi::kLinearSolvers.Find(arguments.linear_solver);
  options.tolerance_for = *fmi::kTolerancesFor.Find(arguments.tolerance_for);
  for (const std::string& setting : arguments.settings) {
    options.start_values.push_back(ParseSetting(setting, "--start"));
  }
  if (!arguments.input.empty()) options.inputs = arguments.input;
  options.start_state = arguments.start_state;
  options.end_state = arguments.end_state;
  options.outputs = arguments.variables;
  const bool is_scheduled =
      options.kind.value_or(fmi::DefaultKind(description)) == fmi::InterfaceKind::ScheduledExecution;
  if (options.outputs.empty()) options.outputs = OutputsWithoutAddresses(description, is_scheduled);
  if (arguments.variables.empty() && !options.outputs.empty() && !arguments.quiet) {
    PrintLine(stderr,
              PrintableText("note: " + description.model_name +
                            ": the addresses of its messages (base.lo, base.hi) are not recorded; a composition "
                            "records messages, with openmi.osi.Recorder"));
  }
  options.compile = {.is_allowed = arguments.compile, .compiler = arguments.compiler};
  options.event_mode = arguments.event_mode;
  options.early_return = arguments.early_return;
  options.logging = arguments.log || !arguments.log_categories.empty();
  options.log_categories = arguments.log_categories;
  options.log = [&options](const fmi::LogMessage& message) {
    if (options.logging || message.status != fmi::CallStatus::OK) {
      PrintLine(stderr, PrintableText(fmi::LogLine(message)));
    }
  };
  if (!arguments.quiet) {
    options.note = [&](const std::string& note) {
      PrintLine(stderr, PrintableText("note: " + description.model_name + ": " + note));
    };
  }
  options.planned = [](double steps) {
    if (steps <= kManySteps) return;
    PrintLine(stderr,
              fmt::format("warning: the simulation makes {:.3g} steps, which may take long; --step sets their length",
                          steps));
  };
  const bool bar = !arguments.quiet && IsTerminal(stderr);
  int told = -1;
  const bool to_standard = arguments.output.empty() || arguments.output == "-";
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(nullptr, std::fclose);
  if (!to_standard) {
    file.reset(std::fopen(arguments.output.c_str(), "wb"));
    if (!file) throw CannotWrite{WhyNotWritten(arguments.output, errno, "-o")};
  }
  Recorder recorder(to_standard ? (arguments.quiet && arguments.output.empty() ? nullptr : stdout) : file.get(),
                    !arguments.plot.empty());
  Ending ending([&] {
    recorder.End();
    std::fflush(to_standard ? stdout : file.get());
    std::error_code error;
    if (std::filesystem::is_regular_file(arguments.file, error)) std::filesystem::remove_all(files->Folder(), error);
    PrintLine(stderr,
              PrintableText(description.model_name +
                            ": interrupted within a step that the FMU did not end; the rows recorded before are kept"));
  });
  options.progress = [&](double part) {
    const int percent = static_cast<int>(part * 100.0);
    if (bar && percent != told) {
      told = percent;
      std::fprintf(stderr, "\r%s  %3d %%", description.model_name.c_str(), percent);
    }
    return !ending.asked;
  };

  const auto begin = std::chrono::steady_clock::now();
  fmi::SimulationResult result;
  try {
    const Interrupt interrupt(ending);
    result = fmi::Simulate(files->Folder(), description, options, recorder);
    ending.Done();
  } catch (const ModelError& error) {
    if (bar) std::fputc('\n', stderr);
    recorder.End();  // keeps what was computed until then
    PrintLine(stderr, PrintableText(error.what()));
    return kModelFailed;
  } catch (const Error&) {  // a state that cannot be written, after all
    if (bar) std::fputc('\n', stderr);
    recorder.End();
    throw;
  }
  recorder.End();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (bar) std::fputc('\n', stderr);
  std::FILE* stream = to_standard ? stdout : file.get();
  if (std::fflush(stream) != 0) throw CannotWrite{"expected an output that takes the recorded values, found it full"};
  if (!arguments.plot.empty()) WriteOutput(arguments.plot, Drawn(recorder.kept), {.option = "--plot"});
  if (recorder.EndsWithoutNumbers()) {
    PrintLine(stderr, PrintableText("warning: " + description.model_name +
                                    ": expected numbers until the end, found none in the last row; take a smaller step "
                                    "with --step, or check the parameters and inputs"));
  }
  if (!arguments.quiet) {
    std::string line =
        fmt::format("{} (FMI {}, {}): {} to {} in {} steps, {:.3g} s", description.model_name, description.version_text,
                    Name(result.kind), result.start, result.end, result.steps, seconds);
    if (result.ended_by_fmu) line += "; the FMU ended the simulation";
    if (result.solver) {
      line += fmt::format("; {} solver steps, {} evaluations, events: {} of states, {} of time", result.solver->steps,
                          result.solver->evaluations, result.solver->state_events, result.solver->time_events);
    }
    PrintLine(stderr, PrintableText(line));
  }
  return result.interrupted ? kInterrupted : kSuccess;
}

}  // namespace

void AddFmuRun(CLI::App& fmu, Invocation& invocation) {
  auto arguments = std::make_shared<FmuRunArguments>();
  CLI::App* run = fmu.add_subcommand("run", "Simulate one FMU alone");
  run->add_option("FMU", arguments->file, "Archive or unpacked folder")->required();
  AddChoice(*run, "--kind", arguments->kind, fmi::kWaysToRun.List({"auto"}), "How it is run");
  AddValue(*run, "--start-time", arguments->start, "TIME", "Start of the simulation (default: as in the FMU, else 0)");
  AddValue(*run, "--stop-time", arguments->stop, "TIME",
           "End of the simulation (default: as in the FMU, else start + 1)");
  AddValue(
      *run, "--step", arguments->step, "TIME",
      "Communication step (default: as in the FMU, else a 500th of the simulated time; for scheduled execution the "
      "shortest interval of its clocks)");
  AddValue(*run, "--record-every,--output-interval", arguments->record_every, "TIME",
           "Time between two recorded rows, a whole number of steps (default: each step)");
  AddValue(*run, "--tolerance", arguments->tolerance, "NUMBER",
           "Relative tolerance (default: as in the FMU, else 1e-6 for solvers)");
  AddChoice(*run, "--solver", arguments->solver, fmi::kSolverMethods.List(),
            "Solver for model exchange: CVODE with BDF or Adams");
  AddChoice(
      *run, "--linear-solver", arguments->linear_solver, fmi::kLinearSolvers.List(),
      "Linear solver of BDF: a dense Jacobian, a sparse one where the FMU declares dependencies, or GMRES, which takes "
      "less memory; auto: sparse from 100 states, else dense up to 1000");
  AddChoice(*run, "--tolerance-for", arguments->tolerance_for, fmi::kTolerancesFor.List(),
            "What the tolerance of a solver applies to: the result, or each of its steps as in FMPy and fmusim");
  AddRepeated(*run, "--start,--set", arguments->settings, "NAME=VALUE",
              "Start value of a variable; may be repeated; also --set");
  AddValue(*run, "--input", arguments->input, "FILE", "CSV with a column 'time' and one for each input");
  AddValue(*run, "--start-state", arguments->start_state, "FILE",
           "State that another run of this FMU wrote; this run starts at its time, and lasts as long as without this "
           "option, or until --stop-time");
  AddValue(*run, "--end-state", arguments->end_state, "FILE", "File for the state of the FMU at the end");
  AddValue(*run, "-o,--output,--output-file", arguments->output, "OUT",
           "CSV file for the recorded values (default: standard output)");
  AddRepeated(*run, "--variable", arguments->variables, "NAME",
              "Variable to record; may be repeated (default: all outputs)");
  AddValue(*run, "--plot", arguments->plot, "OUT", "SVG drawing of the recorded values; '-' is standard output");
  run->add_flag("--compile", arguments->compile,
                "Compile the sources of an FMU that has no library for this machine, and keep the result");
  AddValue(*run, "--compiler", arguments->compiler, "PROGRAM", "Compiler of C and C++ for --compile (default: cc)");
  run->add_flag("--event-mode", arguments->event_mode, "Handle events of FMI 3.0 co-simulation one by one");
  run->add_flag("--early-return", arguments->early_return, "Let steps of FMI 3.0 co-simulation end early");
  run->add_flag("--log", arguments->log, "Print all messages of the FMU");
  AddRepeated(*run, "--log-category", arguments->log_categories, "NAME",
              "Print messages of this category of the FMU; may be repeated (default: messages whose status is not OK)");
  run->add_flag("--quiet", arguments->quiet, "Print problems only, and no records to standard output");
  run->footer(
      "Examples:\n"
      "  openmi fmu run BouncingBall.fmu -o ball.csv --plot ball.svg\n"
      "  openmi fmu run VanDerPol.fmu --kind model-exchange --tolerance 1e-8 --start mu=5 --stop-time 30\n"
      "  openmi fmu run plant.fmu --input inflow.csv --step 60 --variable level");
  run->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
