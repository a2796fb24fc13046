#include "fmi-bridge/fmi/component/Fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"
#include "fmi-bridge/fmi/run/ScheduledExecution.hpp"
#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/system/ChildTrial.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::fmi {
namespace {

constexpr const char* kUntried =
    "restore a state that this very FMU wrote; try-states = false gives it to the FMU untried";

SolverOptions SolverOptionsOf(const FmuSettings& settings, std::optional<double> tolerance) {
  SolverOptions options;
  options.method = settings.solver.Value();
  options.linear = settings.linear_solver.Value();
  options.tolerance_for = settings.tolerance_for.Value();
  options.relative_tolerance = tolerance.value_or(1e-6);
  if (settings.absolute_tolerance.HasValue()) options.absolute_tolerance = settings.absolute_tolerance.Value();
  return options;
}

}  // namespace

Fmu::Fmu() : StatefulSteppingComponent("fmu", "PT1S"), settings_{ArgumentItems()} {
  SetDescription("an FMU of FMI 1.0 (co-simulation), 2.0 or 3.0");
  SetRestartable(true);
  settings_.fmu.Item().changed = [this] { ReadDescription(); };
}

Fmu::~Fmu() {
  End();
}

// Also called when the folder of the OMI file was set after the argument, so that the path is another one.
void Fmu::ReadDescription() {
  if (!settings_.fmu.HasValue()) return;
  const std::string name = settings_.fmu.Value();
  if (!source_.Read(FindArchive(name, PathOf(name)))) return;
  SetDescription(Model().description.empty() ? Model().model_name : Model().description);
  layer_ = MakeFmuLayer(Model());
  if (layer_ != nullptr) layer_->AddArguments(ArgumentItems());
  arguments_.Add(
      ArgumentItems(), Model(), [this](Index variable) { return IsOfLayer(variable); },
      [this](Index variable, const ArgumentItem& argument) { Tune(variable, argument); });
}

InterfaceKind Fmu::Kind() const {
  return kWaysToRun.Find(settings_.kind.Value()).value_or(DefaultKind(Model()));
}

InputsAt Fmu::ItsInputsAt() const {
  if (const auto given = kInputsAt.Find(settings_.inputs_at.Value())) return *given;
  // The solvers of some co-simulation FMUs do not notice that derivatives of inputs jump from step to step.
  return Kind() == InterfaceKind::CoSimulation ? InputsAt::End : InputsAt::Linear;
}

std::optional<double> Fmu::Tolerance() const {
  return settings_.tolerance.HasValue() ? settings_.tolerance.Value() : Model().experiment.tolerance;
}

void Fmu::Setup() {
  ReadDescription();
  const InterfaceKind kind = Kind();
  if (!Model().Of(kind)) {
    throw LoadError(Place(), fmt::format("expected an FMU for {}, found one that is not", Name(kind)),
                    "leave the argument 'kind' out");
  }
  source_.Open(kind, Caption(), {.is_allowed = settings_.compile.Value(), .compiler = TextOf(settings_.compiler)});
  times_.SetUnit(SecondsPerTimeUnit(Model()));
  arguments_.Read(Model(), Split(settings_.set.Value(), ";"), Caption());
  const double step = DefaultStepSeconds(Model(), kind);
  if (!ArgumentItems().Find("time-step")->IsSet() && step > 0.0) SetTimeStep(Seconds(step));
  if (kind == InterfaceKind::CoSimulation && !Model().Of(kind)->can_handle_variable_step) SetWholeSteps(true);
  CheckLogCategories(Split(settings_.log_categories.Value(), ";"), Model());
  CheckRowsWithin();
  for (const auto* file : {&settings_.start_state, &settings_.end_state}) {
    if (TextOf(*file).empty()) continue;
    ExpectStateAsBytes(Model(), kind,
                       {.file = source_.Path().string(),
                        .component = Caption(),
                        .item = file == &settings_.start_state ? "start-state" : "end-state"});
  }
  MakeItems();
}

void Fmu::CheckRowsWithin() const {
  const Interface& offers = *Model().Of(Kind());
  if (settings_.rows_within_steps.Value() == 0 || offers.max_output_derivative_order > 0) return;
  throw ArgumentError({.file = source_.Path().string(), .component = Caption(), .item = "rows-within-steps"},
                      "expected an FMU for co-simulation that gives derivatives of its outputs "
                      "(maxOutputDerivativeOrder), found one that gives none",
                      "remove the argument, and put the adaptor 'cubic' on links that need values within steps");
}

void Fmu::MakeItems() {
  inputs_.Clear();
  outputs_.Clear();
  values_.Clear();
  clocks_.Clear();
  const std::vector<std::string> more = Split(settings_.more_outputs.Value(), ";");
  std::vector<bool> found(more.size(), false);
  const std::set<Index> bus_clocks = BusClocks(Model());
  const std::vector<std::vector<std::size_t>> sizes = ArraySizes(Model(), arguments_.Values());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Variable& variable = Model().variables[i];
    if (IsOfLayer(static_cast<Index>(i))) continue;
    bool is_output = variable.causality == Causality::Output;
    for (std::size_t m = 0; m < more.size(); ++m) {
      if (more[m] == variable.name) found[m] = is_output = true;
    }
    if (variable.type == VariableType::Clock) {
      MakeClockItem(variable, is_output, bus_clocks.contains(static_cast<Index>(i)));
    } else if (is_output || variable.causality == Causality::Input) {
      MakeItem(variable, is_output, sizes[i]);
    }
  }
  if (const auto unknown = std::ranges::find(found, false); unknown != found.end()) {
    const std::string& name = more[static_cast<std::size_t>(unknown - found.begin())];
    throw ArgumentError({.component = Caption(), .item = "outputs"},
                        fmt::format("expected a variable of the FMU, found '{}'", name),
                        Suggest(name, NamesOfVariables(Model())));
  }
  if (layer_ == nullptr) return;
  layer_->MakeItems(
      {.steps = *this,
       .add_input = [this](auto... parts) -> ValueInput& { return AddItem<ValueInput>(std::move(parts)...); },
       .add_output = [this](auto... parts) -> ValueOutput& { return AddItem<ValueOutput>(std::move(parts)...); },
       .path_of = [this](const std::string& path) { return PathOf(path); },
       .remark = [this](const std::string& item, const std::string& problem,
                        const std::string& remedy) { Remark(item, problem, remedy); },
       .file = source_.Path().string(),
       .is_for_windows = source_.IsForWindows()});
}

void Fmu::Remark(const std::string& item, const std::string& problem, const std::string& remedy) {
  AddWarning(remarks_, {.item = item}, problem, remedy);
  if (log_ != nullptr) log_->Write({Caption(), CallStatus::Warning, "openmi", problem});
}

void Fmu::MakeItem(const Variable& variable, bool is_output, const std::vector<std::size_t>& sizes) {
  const auto where = ElementsOf(variable, sizes);
  const std::string& text = variable.description;
  auto definition = DefinitionOf(Model(), variable);
  if (!IsNumeric(variable.type) && is_output) {
    values_.Add(AddItem<ValueOutput>(variable.name, std::move(definition), where, text), variable);
  } else if (!IsNumeric(variable.type)) {
    values_.Add(AddItem<ValueInput>(variable.name, std::move(definition), where, text), variable);
  } else if (is_output) {
    outputs_.Add(AddItem<NumericOutput>(variable.name, std::move(definition), where, text), variable);
  } else {
    auto& item = AddItem<NumericInput>(variable.name, std::move(definition), where, text);
    item.SetDefault(!variable.HasStart()     ? 0.0
                    : IsFloat(variable.type) ? Model().Floats(variable)[0]
                                             : static_cast<double>(Model().Integers(variable)[0]));
    inputs_.Add(item, variable);
  }
}

// Makes items for clocks that other components may make tick, or whose ticks they may receive.
void Fmu::MakeClockItem(const Variable& variable, bool is_output, bool is_bus) {
  const auto index = static_cast<Index>(&variable - Model().variables.data());
  auto definition = DefinitionOf(Model(), variable);
  const bool is_timed = Model().ClockOf(variable).IsTimeBased();
  if (variable.causality == Causality::Output || (is_timed && (is_output || is_bus))) {
    clocks_.Add(index, AddItem<NumericOutput>(variable.name, std::move(definition), nullptr, variable.description));
  } else if (variable.causality == Causality::Input && !is_timed) {
    auto& item = AddItem<NumericInput>(variable.name, std::move(definition), nullptr, variable.description);
    item.SetDefault(0.0);
    clocks_.Add(index, item, is_bus);
  }
}

bool Fmu::OnValidate(std::vector<std::string>& messages) {
  bool valid = StatefulSteppingComponent::OnValidate(messages);
  if (layer_ != nullptr) {
    for (const std::string& note : layer_->Notes()) messages.push_back(note);
  }
  if (!source_.NoLibrary().empty()) {
    messages.push_back(source_.NoLibrary());
    valid = false;
  }
  const Interface& offers = *Model().Of(Kind());
  if (offers.needs_execution_tool) {
    messages.push_back(Error::Format({.component = Caption(), .item = "fmu"},
                                     fmt::format("expected an FMU that runs by itself, found one that needs {} "
                                                 "(needsExecutionTool)",
                                                 ToolOf(Model())),
                                     "see that the program is installed on the machine that runs this"));
  }
  if (offers.fixed_internal_step) {
    const double step = ToSeconds(TimeStep()) / SecondsPerTimeUnit(Model());
    const double ratio = step / *offers.fixed_internal_step;
    if (std::abs(ratio - std::round(ratio)) > 1e-6 || ratio < 0.5) {
      messages.push_back(Error::Format(
          {.component = Caption(), .item = "time-step"},
          fmt::format("expected a multiple of the FMU's own step of {}, found {}", *offers.fixed_internal_step, step),
          "set time-step to a multiple"));
    }
  }
  if (!ArgumentItems().Find("time-step")->IsSet() && !(DefaultStepSeconds(Model(), Kind()) > 0.0)) {
    messages.push_back(Error::Format(
        {.component = Caption(), .item = "time-step"},
        fmt::format("expected a step, as neither the FMU nor its default experiment gives one, found the argument "
                    "unset: {} s are taken",
                    ToSeconds(TimeStep())),
        "set time-step"));
  }
  const bool events =
      Kind() != InterfaceKind::CoSimulation || (offers.has_event_mode && settings_.event_mode.Value() != "false");
  if (!Model().clocks.empty() && !events) {
    messages.push_back(
        Error::Format({.component = Caption(), .item = "event-mode"},
                      "expected event mode for an FMU with clocks, found none: no clock ticks, and what belongs to "
                      "clocks has no values",
                      offers.has_event_mode ? "set event-mode to auto" : "use an FMU that has event mode"));
  }
  if (valid && source_.IsForWindows()) {  // all messages of one that is not valid are errors
    if (std::string note = WindowsNote(); !note.empty()) messages.push_back(std::move(note));
  }
  return valid;
}

InstanceOptions Fmu::MakeOptions() {
  InstanceOptions options;
  options.name = Caption();
  options.kind = Kind();
  options.library = source_.Library();
  const std::string event_mode = settings_.event_mode.Value();
  options.event_mode = event_mode == "true" || (event_mode == "auto" && !Model().clocks.empty());
  options.early_return = settings_.early_return.Value();
  if (log_ != nullptr) {
    options.logging = true;
    options.log_categories = Split(settings_.log_categories.Value(), ";");
    options.log = [this](const LogMessage& message) { log_->Write(message); };
  }
  if (options.kind == InterfaceKind::CoSimulation && ItsInputsAt() == InputsAt::Linear &&
      Model().Of(options.kind)->provides_intermediate_update) {
    options.intermediate_variables = inputs_.InIntermediateUpdate();
    if (!options.intermediate_variables.empty()) {
      options.intermediate = [this](const IntermediateMoment& moment) {
        if (moment.may_set) inputs_.SetWithin(*instance_, moment.time - times_.From());
        return kNotANumber;
      };
    }
  }
  return options;
}

void Fmu::MakeStepper() {
  inputs_.Bind(*instance_, ItsInputsAt());
  outputs_.Bind(*instance_, values_, settings_.rows_within_steps.Value());
  const InterfaceKind kind = Kind();
  const bool in_events = kind != InterfaceKind::CoSimulation || instance_->Options().event_mode;
  const bool has_linked_clocks = clocks_.Start();
  const bool events = in_events && (inputs_.HasDiscrete() || has_linked_clocks || values_.HasLinkedInputs());
  taking_ = inputs_.Ports().empty() && !events ? Taking::None
            : inputs_.ArePlain() && !events    ? Taking::Plain
                                               : Taking::Full;
  StepperHooks hooks;
  if (kind != InterfaceKind::CoSimulation && inputs_.HasMoving()) {
    hooks.set_inputs = [this](double time) { inputs_.SetWithin(*instance_, time - times_.From()); };
  }
  if (in_events) {
    hooks.set_discrete = [this](const Clocks& clocks) {
      arguments_.SetTuned(*instance_);
      if (taking_ == Taking::None) return;
      inputs_.SetDiscrete(*instance_, clocks);
      values_.SetDiscrete(*instance_, clocks);
    };
  }
  if (in_events && (outputs_.HasClocked() || values_.HasClockedOutputs())) {
    hooks.at_event = [this](const Clocks& clocks, double time) {
      outputs_.GetClocked(*instance_, &clocks);
      values_.GetClocked(*instance_, &clocks, StartTime() + times_.SinceStart(time));
    };
  }
  if (in_events && outputs_.HasRowsWithin()) {
    hooks.after_event = [this] { outputs_.Get(*instance_); };
  }
  if (kind == InterfaceKind::ModelExchange) {
    stepper_ = ModelExchange::Make(*instance_, SolverOptionsOf(settings_, Tolerance()), std::move(hooks));
  } else if (kind == InterfaceKind::ScheduledExecution) {
    stepper_ = std::make_unique<ScheduledExecution>(*instance_, std::move(hooks));
  } else {
    auto stepper = std::make_unique<CoSimulation>(*instance_, std::move(hooks), settings_.retry_steps.Value());
    co_simulation_ = stepper.get();
    stepper_ = std::move(stepper);
  }
  ReportKeptStates();
}

void Fmu::EnterInitialization() {
  End();
  remarks_.clear();
  inputs_.Missing().Begin(settings_.missing_inputs.Value());
  ended_ = false;
  missing_since_.reset();
  const Stamp begin = StartTime();
  const FmuSettings& set = settings_;
  times_.Start(OwnStart(), TimeStep());
  Experiment experiment{.start = times_.Begin(), .stop = {}, .tolerance = Tolerance()};
  if (EndTime() != kFarFuture) {
    // Whole steps may go beyond the end of the run.
    constexpr double kLongestRunDays = 292.0 * 365.25;
    if ((EndTime() - begin).count > kLongestRunDays) {
      throw RangeError({.component = Caption()}, "expected a run of at most 292 years, found a longer one",
                       "end it earlier; time inside an FMU is counted in nanoseconds");
    }
    const bool whole = Kind() == InterfaceKind::CoSimulation && !Model().Of(Kind())->can_handle_variable_step;
    // A state contains the stop time, beyond which another run must go on.
    if (TextOf(set.end_state).empty()) experiment.stop = times_.EndOf(EndTime() - begin, whole);
  }
  const auto path_of = [this](const std::string& name) { return PathOf(name); };
  if (const std::string path = set.results_folder.WrittenPath(set.log_file, path_of); !path.empty()) {
    log_ = std::make_unique<LogFile>(path);
  }
  if (const std::string path = set.results_folder.WrittenPath(set.bus_frames, path_of); !path.empty()) {
    frames_ = std::make_unique<BusFrames>(path);
  }
  values_.Record(frames_.get(), Caption());
  instance_ = Instance::Make(source_.Folder(), Model(), MakeOptions());
  try {
    MakeStepper();
    instance_->SetUp(experiment);
    SetStartValues(*instance_, stepper_->ItsClocks(), arguments_.Values());
    instance_->EnterInitialization(experiment);
    stepper_->Initialize(experiment.start);
    if (layer_ != nullptr) layer_->Initializing(*instance_, experiment.start, ToSeconds(TimeStep()));
  } catch (...) {
    End();  // an instance that is not initialized must not be started
    throw;
  }
}

double Fmu::OwnStart() {
  const FmuSettings& set = settings_;
  std::optional<double> given;
  if (const std::string epoch = TextOf(set.epoch); !epoch.empty()) {
    given = times_.InUnits(StartTime() - ParseIsoTime(epoch, 0.0));
  } else if (set.fmu_start.HasValue()) {
    given = set.fmu_start.Value();
  }
  const std::string name = TextOf(set.start_state);
  if (name.empty()) return given.value_or(Model().experiment.start.value_or(0.0));
  states_.start = ReadStateFile(PathOf(name), name, StateFileOf(Model(), Kind(), source_.IsForWindows()));
  ExpectStart(*states_.start, given, {.file = PathOf(name), .component = Caption(), .item = "start-state"},
              "leave epoch and fmu-start-time out: the time of the state goes on");
  return states_.start->time;
}

void Fmu::TakeStartState() {
  LoadImporter(*states_.start, *stepper_, {.file = PathOf(TextOf(settings_.start_state)), .component = Caption()},
               [this](StateReader& reader) {
                 inputs_.LoadByName(reader);
                 values_.LoadByName(reader);
                 clocks_.LoadByName(reader);
                 reader.RequireEnd();
               });
  const auto mode = static_cast<Instance::Mode>(states_.start->mode);
  const ByteView bytes = std::as_bytes(std::span(states_.start->fmu));
  if (settings_.try_states.Value()) TryState(bytes, mode);
  RestoreInstance(*instance_, bytes, mode);
}

void Fmu::WriteEndState() {
  if (TextOf(settings_.end_state).empty() || instance_ == nullptr) return;
  if (instance_->CurrentMode() == Instance::Mode::Failed) return;
  // Without an end, the run is at its end when it is finished.
  const bool is_at_end = EndTime() == kFarFuture || !Before(CurrentTime(), EndTime());
  if (ended_) {
    return Remark("end-state",
                  "expected an FMU that can go on, found that it ended the simulation: its state is not written",
                  "end the run before that");
  }
  if (!is_at_end) {
    return Remark("end-state",
                  fmt::format("expected an FMU at the end of its run at {}, found it at {}: its state is not written",
                              FormatIsoTime(EndTime()), FormatIsoTime(CurrentTime())),
                  "let the run reach its end");
  }
  const auto path_of = [this](const std::string& name) { return PathOf(name); };
  const std::string path = settings_.results_folder.WrittenPath(settings_.end_state, path_of);
  StateFile state = StateFileOf(Model(), Kind(), source_.IsForWindows());
  state.time = times_.At(Ticks());
  KeepState(state, *instance_, *stepper_, [this](StateWriter& writer) {
    inputs_.SaveByName(writer);
    values_.SaveByName(writer);
    clocks_.SaveByName(writer);
  });
  WriteStateFile(path, state);
}

void Fmu::Tune(Index variable, const ArgumentItem& argument) {
  if (Status() == LinkableComponentStatus::Created || Status() == LinkableComponentStatus::Initializing) return;
  const std::vector<std::size_t> counts = ElementCounts(Model(), arguments_.Values());
  const auto text = argument.ValueAsString();
  const bool is_running = stepper_ != nullptr && !ended_;
  arguments_.Tune(ReadStartValue(Model(), variable, text, counts[static_cast<std::size_t>(variable)]), is_running);
  if (!is_running) return;
  const bool is_initializing = instance_->CurrentMode() == Instance::Mode::Initialization;
  // The event of the others is in the next step, which knows the inputs at its start.
  if (is_initializing || !InEvents() || Kind() == InterfaceKind::ScheduledExecution) arguments_.SetTuned(*instance_);
}

void Fmu::RequireInitialization() {
  if (instance_->CurrentMode() == Instance::Mode::Initialization) return;
  const auto given = std::exchange(initial_inputs_, {});
  EnterInitialization();
  for (const auto& [input, values] : given) {
    if (const auto* row = std::get_if<std::vector<double>>(&values)) {
      SetInitialNumbers(input, *row);
    } else {
      SetInitialValues(input, std::get<std::vector<Value>>(values));
    }
  }
}

void Fmu::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  if (clocks_.SetInitial(input, row[0])) return;
  const Variable* variable = inputs_.Find(input);
  if (variable == nullptr || !variable->clocks.empty()) return;
  RequireInitialization();
  ValueBatch batch(*instance_, variable->type);
  batch.Add(variable->value_reference, row.size());
  batch.SetNumbers(0, row);
  batch.Set(*instance_);
  inputs_.NoteInitial(input, row);
  initial_inputs_.insert_or_assign(std::string(input), std::vector<double>(row.begin(), row.end()));
}

void Fmu::SetInitialValues(std::string_view input, std::span<const Value> values) {
  const Variable* variable = values_.Find(input);
  if (variable == nullptr || !variable->clocks.empty()) return;
  RequireInitialization();
  values_.SetInitial(*instance_, input, values);
  initial_inputs_.insert_or_assign(std::string(input), std::vector<Value>(values.begin(), values.end()));
}

void Fmu::ShowInitialOutputs() {
  if (Model().version == FmiMajor::Fmi1) EndInitialization();
  outputs_.Get(*instance_);
  outputs_.ShowInitial(StartTime());
  values_.ShowInitial(*instance_, StartTime());
}

void Fmu::EndInitialization() {
  if (instance_->CurrentMode() != Instance::Mode::Initialization) return;
  // Before their first tick, variables of clocks are readable here only.
  outputs_.GetClocked(*instance_);
  values_.GetClocked(*instance_);
  const bool has_mode = Model().version != FmiMajor::Fmi1;
  if (has_mode) inputs_.HoldStarts(*instance_);
  instance_->ExitInitialization();
  if (!has_mode) inputs_.HoldStarts(*instance_);
  if (layer_ != nullptr) layer_->Initialized();
}

inline void Fmu::GetOutputs() {
  outputs_.Get(*instance_);
  ShowOutputs();
}

inline void Fmu::ShowOutputs() {
  outputs_.Show();
  if (outputs_.HasClocked()) [[unlikely]]
    outputs_.ShowClocked(InEvents());
  if (!clocks_.Empty()) [[unlikely]]
    clocks_.Show(&stepper_->ItsClocks());
}

void Fmu::Start(Stamp begin) {
  if (instance_ == nullptr) EnterInitialization();
  EndInitialization();
  if (states_.start) {  // which is that of the end of another run: its events were handled
    TakeStartState();
    states_.start.reset();
  } else {
    if (Kind() == InterfaceKind::ScheduledExecution) {
      clocks_.AskAtStart(*instance_, stepper_->ItsClocks(), times_.Begin());
    }
    ended_ = stepper_->Start(times_.Begin());
  }
  GetOutputs();
  values_.Publish(*instance_, begin, !ended_);
  if (layer_ != nullptr) layer_->GetOutputs(*instance_, begin);
}

void Fmu::TakeInputs(Stamp from, Stamp to) {
  inputs_.Take(from, to, times_.Length());
  if (InEvents()) return TakeInputsInEvents(from, to);
  if (inputs_.Set(*instance_)) return;
  Remark("inputs",
         "expected an FMU that takes derivatives of its inputs, as canInterpolateInputs says, found that it refuses "
         "them: inputs are held in each step at their values of its end",
         "set inputs to end or begin");
  inputs_.GiveUpSlopes(*instance_);
}

// Sets continuous inputs at once, and the others in event mode if one of them has changed or a clock has to tick.
void Fmu::TakeInputsInEvents(Stamp from, Stamp to) {
  if (inputs_.IsFirstStep()) clocks_.TakeBases(from, to);
  if (instance_->Options().kind == InterfaceKind::ScheduledExecution) {  // which sets them before each activation
    clocks_.Note(inputs_.Missing(), to);
    return clocks_.AskWithin(*instance_, stepper_->ItsClocks(), times_.From(), times_.Until());
  }
  if (co_simulation_ != nullptr) {
    inputs_.SetContinuous(*instance_);
  } else if (inputs_.Jump()) {
    static_cast<ModelExchange&>(*stepper_).InputsJumped();
  }
  clocks_.Note(inputs_.Missing(), to);
  bool wanted = inputs_.StoreDiscrete();
  wanted |= values_.StoreDiscrete();
  wanted |= clocks_.Ask(stepper_->ItsClocks());
  const bool has_event = wanted;
  for (int events = 0; wanted && !ended_; ++events) {
    constexpr int kMost = 1000;
    if (events > kMost) {
      throw ModelError({.component = Caption()},
                       fmt::format("expected clocks that are to tick {} times at most in a step, found more", kMost),
                       "link a number that counts ticks");
    }
    ended_ = stepper_->HandleEvent(times_.From());
    wanted = clocks_.Ask(stepper_->ItsClocks());
  }
  if (has_event && !ended_ && outputs_.HasRowsWithin()) [[unlikely]]
    outputs_.StartStepAgain(*instance_);
}

[[gnu::noinline]] void Fmu::ShowMissing(Stamp time) {
  outputs_.ShowMissing();
  clocks_.Show(nullptr);
  values_.ShowMissing(time);
  if (layer_ != nullptr) layer_->ShowMissing(time);
}

void Fmu::Step(Stamp from, Stamp to) {
  if (ended_) [[unlikely]] {
    if (!missing_since_) missing_since_ = from;
    return ShowMissing(to);
  }
  times_.Find(Ticks(), to == WholeStepEnd(), to - StartTime());
  if (outputs_.HasRowsWithin()) [[unlikely]]
    outputs_.StartStep(*instance_);
  values_.StartStep(from);
  if (values_.HasInputs()) values_.Take(*instance_, to, !InEvents());
  if (taking_ == Taking::Plain) {
    inputs_.TakePlain(*instance_, to);
  } else if (taking_ == Taking::Full) {
    TakeInputs(from, to);
  }
  if (arguments_.HasTuned() && !ended_) [[unlikely]] {
    ended_ = stepper_->HandleEvent(times_.From());
    if (!ended_ && outputs_.HasRowsWithin()) outputs_.StartStepAgain(*instance_);
  }
  if (ended_) [[unlikely]]
    return ShowMissing(to);  // ended by an event at the start of the step
  if (layer_ != nullptr) layer_->SetInputs(*instance_, to);
  const Reached reached = co_simulation_ != nullptr
                              ? co_simulation_->Advance(times_.From(), times_.Until(), times_.Length())
                              : stepper_->Advance(times_.From(), times_.Until(), times_.Length());
  outputs_.Get(*instance_);
  if (outputs_.HasRowsWithin() && !reached.ended) [[unlikely]]
    outputs_.PublishWithin(*instance_, from, to, times_.Length());
  ShowOutputs();
  inputs_.EndStep();
  ended_ = reached.ended;
  if (ended_ && reached.time < times_.Until() - ToleranceOfTimes(times_.Length(), times_.Until())) [[unlikely]]
    return ShowMissing(to);
  if (values_.HasOutputs()) values_.Publish(*instance_, to, true);
  if (layer_ != nullptr) layer_->GetOutputs(*instance_, to);
}

Problems Fmu::Remarks() const {
  Problems remarks = remarks_;
  inputs_.Missing().AddRemarks(remarks);
  if (missing_since_) {
    AddWarning(
        remarks, {},
        fmt::format("expected an FMU that continues until the end of the run, found that it ended the simulation "
                    "at {}: its outputs are missing from then on",
                    FormatIsoTime(*missing_since_)),
        "end the run there, or look at what ends the FMU");
  }
  const auto is_all_missing = [](const NumericOutput* output) {
    const std::span<const double> row = output->LastRow();
    return !row.empty() && std::ranges::all_of(row, [](double value) { return std::isnan(value); });
  };
  if (!ended_ && !NumericOutputs().empty() && std::ranges::all_of(NumericOutputs(), is_all_missing)) {
    AddWarning(remarks, {},
               fmt::format("expected an FMU that gives values until the end of the run, found none in any of its {} "
                           "numeric outputs at its last step",
                           NumericOutputs().size()),
               "take a smaller step, or look at its parameters and inputs");
  }
  return remarks;
}

std::string Fmu::Icon() const {
  if (source_.Path().empty()) return {};
  Problems ignored;  // reported by InspectFmu
  const auto icon = IconOf(source_.Path(), FilesOf(source_.Path()), ignored);
  return icon ? icon->bytes : std::string();
}

void Fmu::End() {
  std::exception_ptr failure;
  try {
    if (Status() == LinkableComponentStatus::Finishing) WriteEndState();
  } catch (const Error& error) {
    failure = std::make_exception_ptr(
        ModelError({.file = error.Place().file, .component = Caption(), .item = "end-state"}, error.Problem(),
                   error.Remedy().empty() ? "name a file in a folder that can be written, or remove the argument"
                                          : error.Remedy()));
  } catch (...) {
    failure = std::current_exception();
  }
  states_.memory.reset();
  states_.start.reset();
  if (layer_ != nullptr) layer_->End();
  stepper_.reset();
  co_simulation_ = nullptr;
  instance_.reset();
  log_.reset();
  values_.Record(nullptr, {});
  frames_.reset();
  initial_inputs_.clear();
  arguments_.DropTuned();
  if (failure) std::rethrow_exception(failure);
}

void Fmu::ReportKeptStates() {
  double earliest = std::numeric_limits<double>::infinity();
  for (const auto& [id, time] : states_.kept) earliest = std::min(earliest, time);
  if (stepper_ != nullptr) stepper_->SetEarliestState(earliest);
}

const IIdentifiable& Fmu::KeepCurrentState() {
  const IIdentifiable& id = StatefulSteppingComponent::KeepCurrentState();
  states_.kept[std::string(id.Id())] = times_.At(Ticks());
  ReportKeptStates();
  return id;
}

// The time of a state from bytes is unknown until it is restored.
const IIdentifiable& Fmu::ConvertFromByteArray(ByteView bytes) {
  const IIdentifiable& id = StatefulSteppingComponent::ConvertFromByteArray(bytes);
  states_.kept[std::string(id.Id())] = -std::numeric_limits<double>::infinity();
  ReportKeptStates();
  return id;
}

void Fmu::ClearState(const IIdentifiable& state_id) {
  const std::string id(state_id.Id());
  StatefulSteppingComponent::ClearState(state_id);
  states_.kept.erase(id);
  ReportKeptStates();
}

void Fmu::SaveState(StateWriter& writer) const {
  if (instance_ == nullptr || !instance_->Offers().can_serialize_state) {
    throw StateError(Place(), "expected an FMU whose state can be kept as bytes, found one that cannot",
                     "use an FMU whose description has canSerializeFMUState=\"true\"");
  }
  if (!states_.memory) states_.memory.emplace(*instance_);
  states_.memory->Keep();
  writer.Write(Model().token);
  writer.Write(Model().version_text);
  writer.Write(NumberOfThisProcess());
  writer.Write(ByteView(instance_->Serialize(states_.memory->Get())));
  writer.Write(ended_);
  writer.Write(inputs_.IsFirstStep());
  writer.Write(static_cast<std::int64_t>(instance_->CurrentMode()));
  writer.Write(times_.Begin());
  writer.Write(StartTime().mjd);
  stepper_->Save(writer);
  writer.Write(static_cast<std::int64_t>(inputs_.Ports().size()));
  for (const InputPort& port : inputs_.Ports()) writer.Write(port.Before());
  // What was set and read at events and stays valid until the next one.
  inputs_.SaveDiscrete(writer);
  outputs_.SaveClocked(writer);
  values_.SaveInputs(writer);
  clocks_.Save(writer);
  for (const InputPort& port : inputs_.Ports()) writer.Write(port.Held());
  values_.SaveOutputs(writer);
  arguments_.SaveTuned(writer);
  if (layer_ != nullptr) layer_->Save(writer);
}

void Fmu::TryState(ByteView bytes, Instance::Mode mode) {
  if (source_.IsForWindows()) return TryStateInOtherHost(bytes, mode);
  TryStateInChild(
      *instance_, bytes, mode, [this] { outputs_.Get(*instance_); }, Place(), kUntried);
}

// A copy of this process would share the one host with it.
void Fmu::TryStateInOtherHost(ByteView bytes, Instance::Mode mode) {
  try {
    InstanceOptions options = MakeOptions();
    options.logging = false;
    options.log = {};
    options.intermediate = {};
    options.intermediate_variables.clear();
    const auto trial = Instance::Make(source_.Folder(), Model(), std::move(options));
    std::vector<StartValue> values = arguments_.Values();
    std::erase_if(values,
                  [this](const StartValue& value) { return Model().At(value.variable).type == VariableType::Clock; });
    SetStartValues(*trial, stepper_->ItsClocks(), values);
    trial->EnterInitialization({.start = times_.Begin(), .stop = {}, .tolerance = Tolerance()});
    trial->ExitInitialization();
    trial->LimitAnswers(kLongestTrial);  // of the state: the FMU may take longer to initialize
    RestoreInstance(*trial, bytes, mode);
    outputs_.Get(*trial);
  } catch (const Error& error) {
    throw StateError(
        Place(), fmt::format("expected a state that the FMU takes in another Windows host, found: {}", error.Problem()),
        kUntried);
  }
}

void Fmu::LoadState(StateReader& reader) {
  const auto refuse = [this](const std::string& expected, const std::string& found) {
    throw FormatError(Place(), fmt::format("expected a state of {}, found one of {}", expected, found),
                      "restore it with the FMU and the links that it was kept with");
  };
  if (const std::string token = reader.ReadText(); token != Model().token) refuse(Model().token, token);
  if (const std::string version = reader.ReadText(); version != Model().version_text) {
    refuse("FMI " + Model().version_text, "FMI " + version);
  }
  const bool is_own = reader.ReadInteger() == NumberOfThisProcess();
  const ByteView bytes = reader.ReadBytes();
  const bool ended = reader.ReadBool();
  const bool first_step = reader.ReadBool();
  const std::int64_t mode = reader.ReadInteger();
  if (mode < 0 || mode > static_cast<std::int64_t>(Instance::Mode::ClockActivation))
    refuse("a known mode", std::to_string(mode));
  if (!is_own && settings_.try_states.Value()) TryState(bytes, static_cast<Instance::Mode>(mode));
  double begin = reader.ReadDouble();
  const double start = reader.ReadDouble();
  // The run that kept the state may have started at another time.
  if (start != StartTime().mjd) begin += times_.InUnits(StartTime() - Stamp{start});
  times_.MoveBegin(begin);
  stepper_->Load(reader);
  const std::int64_t count = reader.ReadInteger();
  if (count != static_cast<std::int64_t>(inputs_.Ports().size())) {
    refuse(fmt::format("{} linked inputs", inputs_.Ports().size()), std::to_string(count));
  }
  for (InputPort& port : inputs_.Ports()) reader.ReadDoubles(port.Before());
  inputs_.LoadDiscrete(reader, Place());
  outputs_.LoadClocked(reader, Place());
  values_.LoadInputs(reader);
  clocks_.Load(reader);
  for (InputPort& port : inputs_.Ports()) reader.ReadDoubles(port.Held());
  values_.LoadOutputs(reader);
  arguments_.LoadTuned(reader, Model(), Place());
  if (layer_ != nullptr) layer_->Load(reader);
  RestoreInstance(*instance_, bytes, static_cast<Instance::Mode>(mode));
  outputs_.Forget();
  ended_ = ended;
  inputs_.SetFirstStep(first_step);
}

}  // namespace openmi::fmi
