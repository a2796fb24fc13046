#include "fmi-bridge/fmi/simulate/Simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "composition/results/CsvText.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "fmi-bridge/fmi/run/ScheduledExecution.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "fmi-bridge/fmi/simulate/InputTable.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr std::size_t kBlock = 1U << 16U;

/// The number of steps from one recorded row to the next.
std::size_t StepsPerRow(const SimulationOptions& options, double step) {
  if (!options.record_every || !(step > 0.0)) return 1;
  const double steps = std::round(*options.record_every / step);
  if (!(steps >= 1.0 && steps < 1e15) || std::abs(steps * step - *options.record_every) > 1e-9 * step * steps) {
    throw ArgumentError(
        {.item = "record-every"},
        fmt::format("expected a time between two recorded rows of a whole number of steps, found {} with steps of {}",
                    *options.record_every, step),
        "choose another step or another interval");
  }
  return static_cast<std::size_t>(steps);
}

/// A variable to record, by its name or that of an alias.
struct Recorded {
  Index variable = kNowhere;
  std::string name;
};

/// Reads the recorded variables: those without a clock after each step, one call for each type; those of clocks when
/// these tick.
class Recording {
 public:
  /// \param sizes      sizes of the dimensions of each variable
  /// \param has_ticks  whether clocks tick; if not, there is no difference between the variables
  Recording(Instance& instance, const std::vector<Recorded>& variables,
            const std::vector<std::vector<std::size_t>>& sizes, bool has_ticks) {
    const ModelDescription& description = instance.Description();
    std::size_t texts = 0;
    for (const auto& [index, name] : variables) {
      const Variable& variable = description.At(index);
      const std::vector<std::string> names = items::ElementNames(name, sizes[static_cast<std::size_t>(index)]);
      const std::size_t count = names.size();
      const bool is_text = variable.type == VariableType::String || variable.type == VariableType::Binary;
      const UnitDefinition* unit = description.UnitOf(variable);
      const bool is_clocked = has_ticks && !variable.clocks.empty();
      if (is_text) {
        text_ports_.push_back({&variable, is_clocked, std::vector<std::string>(count), texts});
      } else {
        const auto place =
            is_clocked ? clocked_.AddAlone(instance, variable, count) : batches_.Add(instance, variable, count);
        ports_.push_back({&variable, is_clocked, place, count, numbers_.size()});
        numbers_.resize(numbers_.size() + count);
      }
      for (std::size_t e = 0; e < count; ++e) {
        columns_.push_back({.name = variable.IsArray() ? names[e] : name,
                            .unit = unit != nullptr ? unit->name : "",
                            .is_text = is_text,
                            .is_whole = !is_text && !IsFloat(variable.type),
                            .position = is_text ? texts + e : numbers_.size() - count + e});
      }
      if (is_text) texts += count;
    }
    texts_.resize(texts);
  }

  const std::vector<RecordedColumn>& Columns() const { return columns_; }

  /// Reads the variables of clocks that tick; without `clocks`, all variables of clocks.
  void ReadClocked(Instance& instance, const Clocks* clocks) {
    const auto is_due = [clocks](const auto& port) {
      return port.is_clocked && (clocks == nullptr || clocks->IsActive(port.variable->clocks));
    };
    for (const Port& port : ports_) {
      if (is_due(port)) port.place.Batch().Get(instance);
    }
    for (TextPort& port : text_ports_) {
      if (is_due(port)) Read(instance, port);
    }
  }

  void Record(Instance& instance, double time, IRecorder& recorder) {
    batches_.Get(instance);
    for (const Port& port : ports_) {
      port.place.Batch().Numbers(port.place.first, std::span(numbers_).subspan(port.at, port.count));
    }
    for (TextPort& port : text_ports_) {
      if (!port.is_clocked) Read(instance, port);
    }
    recorder.Row(time, numbers_, texts_);
  }

 private:
  struct Port {
    const Variable* variable;
    bool is_clocked;
    ValueBatches::Place place;
    std::size_t count, at;
  };
  struct TextPort {
    const Variable* variable;
    bool is_clocked;
    std::vector<std::string> values;
    std::size_t at;
  };
  void Read(Instance& instance, TextPort& port) {
    const std::span<const ValueReference> reference(&port.variable->value_reference, 1);
    if (port.variable->type == VariableType::String) {
      instance.GetTexts(reference, port.values);
      std::ranges::copy(port.values, texts_.begin() + static_cast<std::ptrdiff_t>(port.at));
      return;
    }
    instance.GetBinaries(reference, port.values);
    for (std::size_t i = 0; i < port.values.size(); ++i) {
      std::string& text = texts_[port.at + i];
      text.clear();
      for (const char c : port.values[i]) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
  }

  ValueBatches batches_;
  ValueBatches clocked_;  // each in a batch of its own
  std::vector<Port> ports_;
  std::vector<TextPort> text_ports_;
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::vector<RecordedColumn> columns_;
};

/// Sets inputs from a table.
class Inputs {
 public:
  /// \param elements  number of elements of each variable
  Inputs(Instance& instance, const InputTable& table, const std::vector<std::size_t>& elements)
      : instance_(instance), table_(table) {
    const ModelDescription& description = instance.Description();
    for (const InputTable::Column& column : table.Columns()) {
      const auto same = std::ranges::find(ports_, column.variable, &Port::variable);
      if (same != ports_.end()) {
        same->columns.push_back(&column);
        continue;
      }
      const auto index = static_cast<std::size_t>(column.variable);
      const Variable& variable = description.variables[index];
      if (variable.type == VariableType::Clock) {
        clocks_.push_back({&column});
        continue;
      }
      Port& port = ports_.emplace_back();
      port.variable = column.variable;
      port.clocks = &variable.clocks;
      port.continuous = column.continuous;
      port.columns = {&column};
      port.reference = variable.value_reference;
      // Elements of an array that are not in the table keep their start values.
      StartValue start =
          ReadStartValue(description, column.variable, StartText(description, variable), elements[index]);
      port.texts = std::move(start.texts);
      port.is_text = variable.type == VariableType::String;
      if (!port.texts.empty()) continue;
      port.batch = ValueBatch(instance, variable.type);
      port.batch.Add(port.reference, elements[index]);
      for (std::size_t i = 0; i < start.numbers.size(); ++i) port.batch.SetNumber(i, start.numbers[i]);
      for (std::size_t i = 0; i < start.integers.size(); ++i) port.batch.SetInteger(i, start.integers[i]);
    }
    for (const Port& port : ports_) {
      const Variable& variable = description.At(port.variable);
      if (!port.continuous || variable.type != VariableType::Float64 || variable.IsArray()) continue;
      slope_columns_.push_back(port.columns[0]);
      slopes_.Add(variable.value_reference);
    }
  }

  /// \param clocks  in event mode, when inputs of clocks that tick are set, too; else null. At the start all are set.
  /// \param before  continuous inputs that jump at that time have not jumped yet
  void Set(double time, bool continuous, bool discrete, const Clocks* clocks = nullptr, bool before = false) {
    const std::size_t row = table_.RowAt(time);
    const bool initial = instance_.CurrentMode() == Instance::Mode::Initialization;
    for (Port& port : ports_) {
      if (port.continuous ? !continuous : !discrete) continue;
      if (!initial && !port.clocks->empty() && (clocks == nullptr || !clocks->IsActive(*port.clocks))) continue;
      for (const InputTable::Column* column : port.columns) {
        for (std::size_t e = 0; e < column->count; ++e) {
          const std::size_t to = column->first + e;
          const std::size_t from = row * column->count + e;
          if (!column->numbers.empty())
            port.batch.SetNumber(to, before ? table_.Before(*column, e, time) : table_.At(*column, e, time));
          if (!column->integers.empty()) port.batch.SetInteger(to, column->integers[from]);
          if (!column->texts.empty()) port.texts[to] = column->texts[from];
        }
      }
      if (port.texts.empty()) {
        port.batch.Set(instance_);
      } else if (port.is_text) {
        instance_.SetTexts({&port.reference, 1}, port.texts);
      } else {
        instance_.SetBinaries({&port.reference, 1}, port.texts);
      }
    }
  }
  /// Makes the triggered clocks tick for which the table has one more tick.
  /// \returns whether there is one
  bool AskClocks(double time, Clocks& clocks) {
    bool any = false;
    const std::size_t row = table_.RowAt(time);
    for (ClockPort& port : clocks_) {
      constexpr std::int64_t kMost = 1000;
      const std::int64_t left = port.column->integers[row] - port.ticks;
      if (left <= 0) continue;
      if (left > kMost) {
        const Variable& clock = instance_.Description().At(port.column->variable);
        throw ModelError(
            {.file = instance_.Description().file, .item = clock.name},
            fmt::format("expected a clock that is to tick {} times at most in a step, found {}", kMost, left),
            "let the column of the clock grow by one at each tick");
      }
      ++port.ticks;
      clocks.Ask(port.column->variable);
      any = true;
    }
    return any;
  }
  /// Makes the triggered clocks tick in a step as often as the table says.
  void AskClocksWithin(double from, double to, Clocks& clocks) {
    const std::size_t row = table_.RowAt(to);
    for (ClockPort& port : clocks_) {
      clocks.AskWithin(instance_, port.column->variable, from, to, static_cast<double>(port.column->integers[row]),
                       port.ticks);
    }
  }
  /// Takes the ticks that a state has as made, unless the table counts from 0 again.
  void TakeTicks(double time, const Clocks& clocks) {
    const std::size_t row = table_.RowAt(time);
    for (ClockPort& port : clocks_) {
      port.ticks = std::clamp<std::int64_t>(port.column->integers[row], 0, clocks.TicksOf(port.column->variable));
    }
  }
  /// \returns whether the FMU accepts derivatives of inputs
  bool SetSlopes(double from, double to) {
    if (slope_columns_.empty()) return true;
    for (std::size_t i = 0; i < slope_columns_.size(); ++i) {
      const InputTable::Column& column = *slope_columns_[i];
      slopes_[i] = (table_.Before(column, 0, to) - table_.At(column, 0, from)) / (to - from);
    }
    return slopes_.Set(instance_);
  }
  /// Whether a discrete input has changed since the previous step, or a continuous one jumps.
  bool Jumps(double before, double time) const {
    const std::size_t last = table_.RowAt(before);
    const std::size_t row = table_.RowAt(time);
    return std::ranges::any_of(table_.Columns(), [&](const InputTable::Column& column) {
      for (std::size_t e = 0; e < column.count; ++e) {
        const auto differs = [&](const auto& values) {
          return !values.empty() && values[last * column.count + e] != values[row * column.count + e];
        };
        if (column.continuous ? table_.Before(column, e, time) != table_.At(column, e, time)
                              : differs(column.numbers) || differs(column.integers) || differs(column.texts)) {
          return true;
        }
      }
      return false;
    });
  }

 private:
  struct Port {
    Index variable = kNowhere;
    bool continuous = false;
    bool is_text = false;  // false: texts are bytes
    ValueReference reference = 0;
    const std::vector<Index>* clocks = nullptr;  // of the variable
    std::vector<const InputTable::Column*> columns;
    ValueBatch batch;                // of numbers
    std::vector<std::string> texts;  // of texts and bytes
  };
  struct ClockPort {
    const InputTable::Column* column = nullptr;
    std::int64_t ticks = 0;  // ticks made
  };
  Instance& instance_;
  const InputTable& table_;
  std::vector<Port> ports_;
  std::vector<ClockPort> clocks_;
  std::vector<const InputTable::Column*> slope_columns_;
  InputSlopes slopes_;
};

}  // namespace

SimulationResult Simulate(const std::filesystem::path& folder, const ModelDescription& description,
                          const SimulationOptions& options, IRecorder& recorder) {
  SimulationResult result;
  result.kind = options.kind.value_or(DefaultKind(description));
  const DefaultExperiment& experiment = description.experiment;
  const auto keeps_in = [&](const std::string& file, const char* option) {
    if (!file.empty()) ExpectStateAsBytes(description, result.kind, {.file = description.file, .item = option});
    return !file.empty();
  };
  const bool has_start_state = keeps_in(options.start_state, "start-state");
  const bool has_end_state = keeps_in(options.end_state, "end-state");
  if (has_end_state) ExpectWritableState(options.end_state);
  const std::filesystem::path library = LibraryFor(folder, description, result.kind, options.compile);
  if (const std::string note = library.extension() == ".dll" ? WindowsNote() : ""; options.note && !note.empty()) {
    options.note(note);
  }
  StateFile state = StateFileOf(description, result.kind, library.extension() == ".dll");
  result.start = options.start.value_or(experiment.start.value_or(0.0));
  double usual_stop = experiment.stop.value_or(result.start + 1.0);
  if (usual_stop <= result.start) usual_stop += result.start - experiment.start.value_or(0.0);  // as long as usual
  if (has_start_state) {
    state = ReadStateFile(options.start_state, options.start_state, state);
    ExpectStart(state, options.start, {.file = options.start_state},
                "leave the start time out: the time of the state goes on");
    usual_stop += state.time - result.start;  // as long again
    result.start = state.time;
  }
  result.end = result.start;
  const double stop = options.stop.value_or(std::max(usual_stop, result.start));
  const bool scheduled = result.kind == InterfaceKind::ScheduledExecution;
  double own_step = experiment.step.value_or(0.0);
  if (scheduled && own_step <= 0.0)
    own_step = DefaultStepSeconds(description, result.kind) / SecondsPerTimeUnit(description);
  result.step = options.step.value_or(own_step > 0.0 ? own_step : (stop - result.start) / 500.0);
  if (!(stop >= result.start) || (stop > result.start && !(result.step > 0.0))) {
    throw ArgumentError(
        {.file = description.file},
        fmt::format(
            "expected a stop time at or after the start time and a step above 0, found start {}, stop {}, step {}",
            result.start, stop, result.step));
  }
  const std::size_t steps_per_row = StepsPerRow(options, result.step);
  const std::optional<double> tolerance = options.tolerance ? options.tolerance : experiment.tolerance;

  const VariableNames names(description);
  std::vector<StartValue> values;
  std::vector<std::size_t> elements = ElementCounts(description, values);
  for (const bool structural : {true, false}) {
    for (const auto& [name, text] : options.start_values) {
      const Index index = FindVariable(description, names, name);
      const Variable& variable = description.At(index);
      if ((variable.causality == Causality::StructuralParameter) != structural) continue;
      if (has_start_state && !structural) {
        throw ArgumentError({.file = description.file, .item = name},
                            "expected start values of structural parameters only beside a start state, found another "
                            "one, whose value is in the state",
                            "set it in the run that writes the state, or give an input in the table of inputs");
      }
      values.push_back(ReadStartValue(description, index, text, elements[static_cast<std::size_t>(index)]));
    }
    elements = ElementCounts(description, values);
  }
  const std::vector<std::vector<std::size_t>> sizes = ArraySizes(description, values);
  std::vector<Recorded> recorded;
  for (const std::string& name : options.outputs) {
    recorded.push_back({FindVariable(description, names, name), name});
    if (description.At(recorded.back().variable).type == VariableType::Clock) {
      throw ArgumentError({.file = description.file, .item = name},
                          "expected a variable with values to record, found a clock, which has none between its ticks",
                          "record what the clock changes");
    }
  }
  if (options.outputs.empty()) {
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
      const Variable& variable = description.variables[i];
      if (variable.causality == Causality::Output && variable.type != VariableType::Clock &&
          (scheduled || variable.clocks.empty())) {
        recorded.push_back({static_cast<Index>(i), variable.name});
      }
    }
  }
  std::optional<InputTable> table;
  if (options.inputs) table.emplace(*options.inputs, description, sizes);

  InstanceOptions instance_options;
  instance_options.name = description.model_name;
  instance_options.kind = result.kind;
  instance_options.library = library;
  instance_options.logging = options.logging;
  CheckLogCategories(options.log_categories, description);
  instance_options.log_categories = options.log_categories;
  instance_options.log = options.log;
  instance_options.event_mode = options.event_mode || !description.clocks.empty();
  instance_options.early_return = options.early_return;
  const auto instance = Instance::Make(folder, description, std::move(instance_options));
  const bool exchange = result.kind == InterfaceKind::ModelExchange;
  // Where discrete inputs are set.
  const bool in_events = exchange || scheduled || instance->Options().event_mode;
  const bool co_simulates = !exchange && !scheduled;
  Recording recording(*instance, recorded, sizes, in_events);
  std::optional<Inputs> inputs;
  if (table) inputs.emplace(*instance, *table, elements);

  std::unique_ptr<IStepper> stepper;
  ModelExchange* model_exchange = nullptr;
  double now = result.start;
  double tick = now;  // the time of the partition in scheduled execution
  StepperHooks hooks;
  if (!co_simulates && inputs) {
    // A jump at the end of a step of model exchange comes with the event after it, as that of discrete inputs.
    hooks.set_inputs = [&](double time) { inputs->Set(tick = time, true, false, nullptr, exchange && time > now); };
  }
  if (in_events && inputs) {
    hooks.set_discrete = [&](const Clocks& clocks) { inputs->Set(scheduled ? tick : now, false, true, &clocks); };
  }
  if (in_events) hooks.at_event = [&](const Clocks& clocks, double) { recording.ReadClocked(*instance, &clocks); };
  if (exchange) {
    SolverOptions solver;
    solver.method = options.method;
    solver.linear = options.linear;
    solver.tolerance_for = options.tolerance_for;
    solver.relative_tolerance = tolerance.value_or(1e-6);
    auto made = ModelExchange::Make(*instance, solver, std::move(hooks));
    model_exchange = made.get();
    stepper = std::move(made);
  } else if (scheduled) {
    stepper = std::make_unique<ScheduledExecution>(*instance, std::move(hooks));
  } else {
    stepper = std::make_unique<CoSimulation>(*instance, std::move(hooks));
  }

  const double tolerance_of_time =
      ToleranceOfTimes(std::max(result.step, 0.0), std::max(std::abs(result.start), std::abs(stop)));
  const double whole_steps = std::round((stop - result.start) / result.step);
  const double grid_end = result.start + whole_steps * result.step;
  Experiment planned{.start = result.start, .stop = stop, .tolerance = tolerance};
  if (whole_steps >= 1.0 && std::abs(grid_end - stop) <= tolerance_of_time) {
    const double before_last = result.start + (whole_steps - 1.0) * result.step;
    planned.stop = EndOfLastStep(before_last, result.step, std::max(grid_end, stop));
  }
  if (has_end_state) planned.stop.reset();  // which the state would contain
  instance->SetUp(planned);
  SetStartValues(*instance, stepper->ItsClocks(), values);
  instance->EnterInitialization(planned);
  if (inputs) inputs->Set(result.start, true, true);
  stepper->Initialize(result.start);
  recording.ReadClocked(*instance, nullptr);
  instance->ExitInitialization();
  if (has_start_state) {
    LoadImporter(state, *stepper, {.file = options.start_state}, [](StateReader&) {});  // the rest is a component's
    if (inputs) inputs->TakeTicks(result.start, stepper->ItsClocks());
    const auto mode = static_cast<Instance::Mode>(state.mode);
    const ByteView bytes = std::as_bytes(std::span(state.fmu));
    if (library.extension() != ".dll") {
      const auto read = [&] {
        MemoryRecorder ignored;
        ignored.Begin(recording.Columns());
        recording.Record(*instance, result.start, ignored);
      };
      TryStateInChild(*instance, bytes, mode, read, {.file = options.start_state},
                      "give a state that this very FMU wrote; its component in a composition can take it untried "
                      "(try-states = false)");
    }
    instance->LimitAnswers(kLongestTrial);
    RestoreInstance(*instance, bytes, mode);
  } else {
    if (scheduled && inputs) inputs->AskClocksWithin(result.start, result.start, stepper->ItsClocks());
    result.ended_by_fmu = stepper->Start(result.start);
  }

  recorder.Begin(recording.Columns());
  recording.Record(*instance, result.start, recorder);
  instance->LimitAnswers({});

  bool has_slopes = inputs && co_simulates && instance->Offers().can_interpolate_inputs;
  double before = now;
  bool is_recorded = true;
  if (options.planned) options.planned(stop > now ? std::ceil((stop - now) / result.step - 1e-9) : 0.0);
  while (!result.ended_by_fmu && now < stop - tolerance_of_time) {
    double next = result.start + static_cast<double>(result.steps + 1) * result.step;
    double step = result.step;
    if (next > stop - tolerance_of_time) {
      if (next > stop + tolerance_of_time) {
        if (co_simulates && !instance->Offers().can_handle_variable_step) break;  // no whole step is left
        step = LengthUntil(now, stop);
      }
      next = next > stop + tolerance_of_time ? stop : next;
    }
    if (inputs && co_simulates) {
      inputs->Set(now, true, !in_events);
      if (has_slopes && !inputs->SetSlopes(now, next)) {
        has_slopes = false;
        if (options.log) {
          options.log(
              {description.model_name, CallStatus::Warning, "openmi",
               "the FMU says that it takes derivatives of inputs, and refuses them: inputs are held in a step"});
        }
      }
    }
    if (inputs && scheduled) {
      inputs->AskClocksWithin(now, next, stepper->ItsClocks());
    } else if (inputs && in_events) {
      // One event for the changes, and one for each tick of a triggered clock.
      bool wanted = inputs->AskClocks(now, stepper->ItsClocks());
      wanted |= inputs->Jumps(before, now) || (has_start_state && result.steps == 0);
      while (wanted && !result.ended_by_fmu) {
        result.ended_by_fmu = stepper->HandleEvent(now);
        wanted = inputs->AskClocks(now, stepper->ItsClocks());
      }
      if (result.ended_by_fmu) break;
    }
    const Reached reached = stepper->Advance(now, next, step);
    before = now;
    now = result.end = reached.ended ? reached.time : next;
    result.ended_by_fmu = reached.ended;
    ++result.steps;
    is_recorded = result.steps % steps_per_row == 0;
    if (is_recorded) recording.Record(*instance, now, recorder);
    if (options.progress && !options.progress((now - result.start) / (stop - result.start))) {
      result.interrupted = true;
      break;
    }
  }
  if (!is_recorded) recording.Record(*instance, now, recorder);  // the end
  if (model_exchange != nullptr) result.solver = model_exchange->Figures();
  if (has_end_state && (result.ended_by_fmu || result.interrupted)) {
    if (options.log) {
      options.log(
          {description.model_name, CallStatus::Warning, "openmi",
           fmt::format("the simulation {} at {}{}: its state is not written, and an earlier one stays in {}; {}",
                       result.interrupted ? "was interrupted" : "was ended by the FMU", now,
                       now < stop - tolerance_of_time ? fmt::format(", before its stop time {}", stop) : "",
                       options.end_state,
                       result.interrupted ? "let it go on to its end" : "take an earlier stop time")});
    }
  } else if (has_end_state) {
    state.time = now;
    KeepState(state, *instance, *stepper, SaveNoItems);
    WriteStateFile(options.end_state, state);
  }
  instance->Terminate();
  return result;
}

void CsvRecorder::Begin(std::span<const RecordedColumn> columns) {
  columns_.assign(columns.begin(), columns.end());
  text_.reserve(2 * kBlock);
  text_ = "time";
  for (const RecordedColumn& column : columns_) {
    text_ += ',';
    AppendCsvField(text_, column.name);
  }
  text_ += '\n';
}

void CsvRecorder::Row(double time, std::span<const double> numbers, std::span<const std::string> texts) {
  AppendNumber(text_, time);
  for (const RecordedColumn& column : columns_) {
    text_ += ',';
    if (column.is_text) {
      AppendCsvField(text_, texts[column.position]);
    } else {
      AppendNumber(text_, numbers[column.position]);
    }
  }
  text_ += '\n';
  if (text_.size() >= kBlock) End();
}

void CsvRecorder::End() {
  write_(text_);
  text_.clear();
}

void MemoryRecorder::Begin(std::span<const RecordedColumn> recorded) {
  columns.assign(recorded.begin(), recorded.end());
  std::size_t number_count = 0;
  for (const RecordedColumn& column : columns) number_count += column.is_text ? 0 : 1;
  numbers.assign(number_count, {});
  texts.assign(columns.size() - number_count, {});
  times.clear();
}

void MemoryRecorder::Row(double time, std::span<const double> row, std::span<const std::string> text_row) {
  times.push_back(time);
  for (std::size_t i = 0; i < row.size(); ++i) numbers[i].push_back(row[i]);
  for (std::size_t i = 0; i < text_row.size(); ++i) texts[i].push_back(text_row[i]);
}

const std::vector<double>& MemoryRecorder::Column(const std::string& name) const {
  for (const RecordedColumn& column : columns) {
    if (column.name == name && !column.is_text) return numbers[column.position];
  }
  throw RangeError({.item = name}, "expected a recorded column of numbers, found none of that name");
}

}  // namespace openmi::fmi
