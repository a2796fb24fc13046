#include "fmi-bridge/fmi/component/Fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "fmi-bridge/common/archive/FindArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ThisMachine.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/LogText.hpp"
#include "fmi-bridge/fmi/run/ProtobufClaims.hpp"
#include "fmi-bridge/fmi/run/SiblingLibraries.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi::fmi {
namespace {

constexpr double kTicksPerSecond = 1e9;
constexpr double kTicksPerDay = 86400e9;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> Listed(const std::string& text) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first < end) {
      const std::size_t last = text.find_last_not_of(' ', end - 1);
      names.push_back(text.substr(first, last - first + 1));
    }
    at = end + 1;
  }
  return names;
}

/// The address of a variable in its batch if it is one Float64; else null.
double* OnlyDouble(ValueBatch& batch, std::size_t first, std::size_t elements) {
  return elements == 1 ? batch.DoubleAt(first) : nullptr;
}

}  // namespace

Fmu::Fmu() : StatefulSteppingComponent("fmu", "PT1S") {
  SetDescription("an FMU of FMI 1.0 (co-simulation), 2.0 or 3.0");
  SetRestartable(true);
  fmu_ = AddArgument<std::string>(
      "fmu", {.caption = "FMU", .description = "archive or unpacked folder", .meaning = ArgumentMeaning::Path});
  kind_ = AddArgument<std::string>("kind", {.description = "how it is run; auto: co-simulation where it can be",
                                            .value = "auto",
                                            .possible_values = {"auto", "co-simulation", "model-exchange"}});
  epoch_ = AddArgument<std::string>(
      "epoch", {.description = "the time at which the FMU's own time is 0; without: it begins with the run",
                .optional = true,
                .meaning = ArgumentMeaning::Plain});
  fmu_start_ = AddArgument<double>(
      "fmu-start-time", {.description = "the FMU's own time at the begin of the run, without epoch; default: what its "
                                        "default experiment says, else 0",
                         .optional = true});
  tolerance_ = AddArgument<double>(
      "tolerance", {.description = "relative tolerance; default: what the default experiment says, else 1e-6 for model "
                                   "exchange and none for co-simulation",
                    .minimum = 1e-15,
                    .optional = true});
  absolute_tolerance_ = AddArgument<double>(
      "absolute-tolerance",
      {.description = "of model exchange, times the nominal of each state; default: the relative one",
       .minimum = 0.0,
       .optional = true});
  solver_ = AddArgument<std::string>("solver", {.description = "of model exchange: CVODE with BDF or Adams",
                                                .value = "bdf",
                                                .possible_values = {"bdf", "adams"}});
  linear_solver_ = AddArgument<std::string>(
      "linear-solver", {.description = "of model exchange with BDF: a dense Jacobian, or GMRES with a band of it as "
                                       "preconditioner (iterative); auto: dense up to 1000 states",
                        .value = "auto",
                        .possible_values = {"auto", "dense", "iterative"}});
  tolerance_for_ = AddArgument<std::string>(
      "tolerance-for",
      {.description = "of model exchange: whether the tolerances are for the result, so that a step is "
                      "held to a hundredth of them, or for each step as they are",
       .value = "result",
       .possible_values = {"result", "step"}});
  inputs_at_ = AddArgument<std::string>(
      "inputs",
      {.description = "what inputs are within a step: their value at its end, at its begin, or linear between "
                      "both; auto: linear where the FMU can, else at the end",
       .value = "auto",
       .possible_values = {"auto", "end", "begin", "linear"}});
  more_outputs_ =
      AddArgument<std::string>("outputs", {.description = "further variables to show as outputs, between semicolons",
                                           .value = "",
                                           .meaning = ArgumentMeaning::Plain});
  set_ = AddArgument<std::string>(
      "set", {.description = "start values, 'name=value' between semicolons: for variables that have no argument",
              .value = ""});
  event_mode_ =
      AddArgument<std::string>("event-mode", {.description = "of co-simulation with FMI 3.0; auto: where it has clocks",
                                              .value = "auto",
                                              .possible_values = {"auto", "true", "false"}});
  early_return_ = AddArgument<bool>(
      "early-return", {.description = "lets the FMU end a step early; the rest of it follows", .value = true});
  retry_steps_ = AddArgument<bool>(
      "retry-steps", {.description = "keeps the state before each step of FMI 2.0, to try a smaller one after Discard",
                      .value = false});
  try_states_ = AddArgument<bool>(
      "try-states", {.description = "a state that another process kept is tried in a child before the FMU gets it here",
                     .value = true});
  missing_inputs_ = AddArgument<std::string>(
      "missing-inputs",
      {.description = "what becomes of missing values of linked inputs, of which FMI knows none: refuse "
                      "ends the run, hold leaves the last value, pass gives not-a-number; both are "
                      "counted and reported",
       .value = "refuse",
       .possible_values = {"refuse", "hold", "pass"}});
  initial_rounds_ =
      AddArgument<int>("initial-rounds",
                       {.description = "how often FMUs that depend on each other exchange initial values at most until "
                                       "these stay; 0: this one begins with its start values",
                        .value = 100,
                        .minimum = 0});
  initial_tolerance_ = AddArgument<double>(
      "initial-tolerance",
      {.description = "an initial value stays when it changes by no more than this, relative to the largest it had",
       .value = 1e-9,
       .minimum = 0.0});
  log_file_ = AddArgument<std::string>(
      "log-file", {.description = "where messages of the FMU are appended; in the folder of results",
                   .optional = true,
                   .meaning = ArgumentMeaning::Path});
  log_categories_ = AddArgument<std::string>(
      "log-categories", {.description = "categories of messages that the FMU is to log, between semicolons; none: all",
                         .value = "",
                         .meaning = ArgumentMeaning::Plain});
  results_folder_.AddTo(ArgumentItems());
  fmu_.Item().changed = [this] { ReadDescription(); };
}

Fmu::~Fmu() {
  End();
}

std::string Fmu::FamilyKey() const {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path_, error);
  return error ? path_.string() : real.string();
}

std::filesystem::path Fmu::FmuPath() const {
  return FindArchive(fmu_.Value(), PathOf(fmu_.Value()));
}

void Fmu::ReadDescription() {
  if (!fmu_.HasValue()) return;
  const std::filesystem::path path = FmuPath();
  if (description_ != nullptr && path == path_) return;
  description_ = ShareFmuDescription(path);
  path_ = path;
  SetDescription(description_->description.empty() ? description_->model_name : description_->description);
  layer_ = MakeFmuLayer(*description_);
  if (layer_ != nullptr) layer_->AddArguments(ArgumentItems());
  arguments_.Add(ArgumentItems(), *description_, [this](Index variable) { return IsOfLayer(variable); });
}

void Fmu::RequireDescription() {
  // The folder of the OMI file may have been set after the argument, so that the path is another one now.
  if (description_ == nullptr || FmuPath() != path_) ReadDescription();
}

InterfaceKind Fmu::Kind() const {
  const std::string kind = kind_.Value();
  if (kind == "co-simulation") return InterfaceKind::CoSimulation;
  if (kind == "model-exchange") return InterfaceKind::ModelExchange;
  if (description_->Of(InterfaceKind::CoSimulation)) return InterfaceKind::CoSimulation;
  if (description_->Of(InterfaceKind::ModelExchange)) return InterfaceKind::ModelExchange;
  return InterfaceKind::ScheduledExecution;
}

void Fmu::Setup() {
  RequireDescription();
  const InterfaceKind kind = Kind();
  const Where where{.file = path_.string(), .component = Caption()};
  if (kind == InterfaceKind::ScheduledExecution) {
    throw LoadError(where,
                    "expected an FMU for co-simulation or model exchange, found one for scheduled execution, whose "
                    "parts a scheduler would call one by one",
                    "export it for co-simulation");
  }
  if (!description_->Of(kind)) {
    throw LoadError(where, fmt::format("expected an FMU for {}, found one that is not", Name(kind)),
                    "leave the argument 'kind' out");
  }
  files_ = UnpackedArchive::Open(path_);
  claims_.clear();
  held_.reset();
  no_library_.clear();
  try {
    const std::filesystem::path library = LibraryFileOf(files_->Folder(), *description_, kind);
    claims_ = ProtobufClaims(library, FamilyKey());
    held_ = HeldInProcess(claims_, library);
    const std::vector<ProcessClaim> siblings = SiblingClaims(library);
    claims_.insert(claims_.end(), siblings.begin(), siblings.end());
  } catch (const LoadError& error) {  // its description is still usable
    no_library_ = Error::Format({.component = Caption(), .item = "fmu"}, error.Problem(), error.Remedy());
  }
  if (description_->Of(kind)->only_once_per_process) {
    claims_.push_back({fmt::format("the only instance of {}", FamilyKey()), Caption()});
  }
  seconds_per_unit_ = SecondsPerTimeUnit(*description_);

  start_values_ = arguments_.Values(*description_);
  elements_ = ElementCounts(*description_, start_values_);
  const VariableNames names(*description_);
  for (const std::string& entry : Listed(set_.Value())) {
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    const Index index = names.Find(name);
    if (equals == std::string::npos || index == kNowhere) {
      throw ArgumentError({.component = Caption(), .item = "set"},
                          fmt::format("expected 'name=value' with a variable of the FMU, found '{}'", entry));
    }
    start_values_.push_back(
        ReadStartValue(*description_, index, entry.substr(equals + 1), elements_[static_cast<std::size_t>(index)]));
  }
  elements_ = ElementCounts(*description_, start_values_);

  const Interface& offers = *description_->Of(kind);
  has_default_step_ = false;
  if (!ArgumentItems().Find("time-step")->IsSet()) {
    const double step = DefaultStepSeconds(*description_, kind);
    has_default_step_ = !(step > 0.0);
    if (step > 0.0) SetTimeStep(Seconds(step));
  }
  if (kind == InterfaceKind::CoSimulation && !offers.can_handle_variable_step) SetWholeSteps(true);

  const std::string inputs = inputs_at_.Value();
  mode_ = inputs == "end" ? InputsAt::End : inputs == "begin" ? InputsAt::Begin : InputsAt::Linear;
  if (inputs == "auto" && kind == InterfaceKind::CoSimulation && !offers.can_interpolate_inputs &&
      !offers.provides_intermediate_update) {
    mode_ = InputsAt::End;
  }
  CheckLogCategories(Listed(log_categories_.Value()), *description_);
  MakeItems();
}

void Fmu::MakeItems() {
  numeric_inputs_.clear();
  numeric_outputs_.clear();
  value_inputs_.clear();
  value_outputs_.clear();
  clock_ports_.clear();
  const std::vector<std::string> more = Listed(more_outputs_.Value());
  std::vector<bool> found(more.size(), false);
  const std::vector<std::vector<std::size_t>> sizes = ArraySizes(*description_, start_values_);
  for (std::size_t i = 0; i < description_->variables.size(); ++i) {
    const Variable& variable = description_->variables[i];
    if (IsOfLayer(static_cast<Index>(i))) continue;
    bool is_output = variable.causality == Causality::Output;
    for (std::size_t m = 0; m < more.size(); ++m) {
      if (more[m] == variable.name) found[m] = is_output = true;
    }
    if (variable.type == VariableType::Clock) {
      MakeClockItem(variable);
      continue;
    }
    if (!is_output && variable.causality != Causality::Input) continue;
    MakeItem(variable, is_output, sizes[i], elements_[i]);
  }
  for (std::size_t m = 0; m < more.size(); ++m) {
    if (found[m]) continue;
    std::vector<std::string> all;
    for (const Variable& variable : description_->variables) all.push_back(variable.name);
    throw ArgumentError({.component = Caption(), .item = "outputs"},
                        fmt::format("expected a variable of the FMU, found '{}'", more[m]), Suggest(more[m], all));
  }
  if (layer_ == nullptr) return;
  layer_->MakeItems(
      {.component = *this,
       .steps = *this,
       .take_input = [this](auto input) -> items::ValueInput& { return TakeInput(std::move(input)); },
       .take_output = [this](auto output) -> items::ValueOutput& { return TakeOutput(std::move(output)); },
       .path_of = [this](const std::string& path) { return PathOf(path); },
       .remark =
           [this](const std::string& item, const std::string& problem, const std::string& remedy) {
             AddWarning(remarks_, {.item = item}, problem, remedy);
             if (log_ != nullptr) log_->Write({Caption(), CallStatus::Warning, "openmi", problem});
           },
       .file = path_.string()});
}

void Fmu::MakeItem(const Variable& variable, bool is_output, const std::vector<std::size_t>& sizes,
                   std::size_t elements) {
  const auto where = ElementsOf(variable, sizes);
  auto definition = DefinitionOf(*description_, variable);
  const auto describe = [&](auto& item) { item.SetDescription(variable.description); };
  if (!IsNumeric(variable.type)) {
    auto port = std::make_unique<ValuePort>();
    port->variable = &variable;
    port->texts.resize(elements);
    if (is_output) {
      port->output =
          &TakeOutput(std::make_unique<items::ValueOutput>(variable.name, std::move(definition), where, *this, *this));
      describe(*port->output);
      value_outputs_.push_back(std::move(port));
    } else {
      port->input = &TakeInput(std::make_unique<items::ValueInput>(variable.name, std::move(definition), where, *this));
      describe(*port->input);
      value_inputs_.push_back(std::move(port));
    }
    return;
  }
  if (is_output) {
    auto& item = TakeOutput(std::make_unique<NumericOutput>(variable.name, std::move(definition), where, this));
    describe(item);
    numeric_outputs_.emplace_back(&item, &variable);
    return;
  }
  auto& item = TakeInput(std::make_unique<NumericInput>(variable.name, std::move(definition), where, this));
  describe(item);
  double shown = 0.0;
  if (variable.HasStart()) {
    shown = IsFloat(variable.type) ? description_->Floats(variable)[0]
                                   : static_cast<double>(description_->Integers(variable)[0]);
  }
  item.SetDefault(shown);
  numeric_inputs_.emplace_back(&item, &variable);
}

// Makes items for clocks that other components may make tick, or whose ticks they may receive.
void Fmu::MakeClockItem(const Variable& variable) {
  ClockPort port{.clock = static_cast<Index>(&variable - description_->variables.data())};
  const ClockAttributes& clock = description_->clocks[static_cast<std::size_t>(variable.clock)];
  auto definition = DefinitionOf(*description_, variable);
  if (variable.causality == Causality::Output) {
    port.output = &TakeOutput(std::make_unique<NumericOutput>(variable.name, std::move(definition), nullptr, this));
    port.output->SetDescription(variable.description);
  } else if (variable.causality == Causality::Input && !clock.IsTimeBased()) {
    port.input = &TakeInput(std::make_unique<NumericInput>(variable.name, std::move(definition), nullptr, this));
    port.input->SetDescription(variable.description);
    port.input->SetDefault(0.0);
  } else {
    return;
  }
  clock_ports_.push_back(port);
}

bool Fmu::OnValidate(std::vector<std::string>& messages) {
  bool valid = StatefulSteppingComponent::OnValidate(messages);
  if (layer_ != nullptr) {
    for (const std::string& note : layer_->Notes()) messages.push_back(note);
  }
  if (!no_library_.empty()) {
    messages.push_back(no_library_);
    valid = false;
  }
  const Interface& offers = *description_->Of(Kind());
  if (offers.needs_execution_tool) {
    messages.push_back(Error::Format({.component = Caption(), .item = "fmu"},
                                     fmt::format("expected an FMU that runs by itself, found one that needs {} "
                                                 "(needsExecutionTool)",
                                                 ToolOf(*description_)),
                                     "see that the program is installed on the machine that runs this"));
  }
  if (offers.fixed_internal_step) {
    const double ratio = ToSeconds(TimeStep()) / seconds_per_unit_ / *offers.fixed_internal_step;
    if (std::abs(ratio - std::round(ratio)) > 1e-6 || ratio < 0.5) {
      messages.push_back(
          Error::Format({.component = Caption(), .item = "time-step"},
                        fmt::format("expected a multiple of the FMU's own step of {}, found {}",
                                    *offers.fixed_internal_step, ToSeconds(TimeStep()) / seconds_per_unit_),
                        "set time-step to a multiple"));
    }
  }
  if (has_default_step_) {
    messages.push_back(Error::Format(
        {.component = Caption(), .item = "time-step"},
        fmt::format("expected a step, as neither the FMU nor its default experiment gives one, found the argument "
                    "unset: {} s are taken",
                    ToSeconds(TimeStep())),
        "set time-step"));
  }
  const bool events =
      Kind() == InterfaceKind::ModelExchange || (offers.has_event_mode && event_mode_.Value() != "false");
  if (!description_->clocks.empty() && !events) {
    messages.push_back(
        Error::Format({.component = Caption(), .item = "event-mode"},
                      "expected event mode for an FMU with clocks, found none: no clock ticks, and what belongs to "
                      "clocks has no values",
                      offers.has_event_mode ? "set event-mode to auto" : "use an FMU that has event mode"));
  }
  return valid;
}

double Fmu::FmuTime(std::int64_t ticks) const {
  // A product on the grid of whole steps, so that rounding errors do not accumulate.
  if (step_ticks_ > 0 && ticks % step_ticks_ == 0) return begin_ + static_cast<double>(ticks / step_ticks_) * step_;
  return begin_ + static_cast<double>(ticks) / kTicksPerSecond / seconds_per_unit_;
}

void Fmu::AddToBatch(std::vector<ValueBatch>& batches, std::size_t& batch, std::size_t& first, const Variable& variable,
                     std::size_t elements) const {
  // Enumerations are read and written by the functions of their integer type.
  const bool is_enumeration = variable.type == VariableType::Enumeration;
  const bool is_long = is_enumeration && instance_->NativeOf(variable.type) == Native::Int64;
  const VariableType type = !is_enumeration ? variable.type : is_long ? VariableType::Int64 : VariableType::Int32;
  for (batch = 0; batch < batches.size(); ++batch) {
    if (batches[batch].Type() == type) break;
  }
  if (batch == batches.size()) batches.emplace_back(*instance_, type);
  first = batches[batch].Add(variable.value_reference, elements);
}

void Fmu::MakeStepper() {
  for (auto* batches : {&out_, &clocked_out_, &in_, &continuous_in_, &moving_in_, &clocked_in_}) batches->clear();
  outputs_.clear();
  clocked_outputs_.clear();
  inputs_.clear();
  slope_references_.clear();
  const bool exchange = Kind() == InterfaceKind::ModelExchange;
  in_events_ = exchange || instance_->Options().event_mode;
  const auto add_alone = [&](std::vector<ValueBatch>& batches, auto& port, std::size_t elements) {
    port.batch = batches.size();
    batches.emplace_back(*instance_, port.variable->type);
    port.first = batches.back().Add(port.variable->value_reference, elements);
  };
  for (const auto& [item, variable] : numeric_outputs_) {
    OutputPort port{.item = item, .variable = variable};
    if (variable->clocks.empty()) {
      AddToBatch(out_, port.batch, port.first, *variable, item->ElementCount());
      outputs_.push_back(port);
    } else {
      add_alone(clocked_out_, port, item->ElementCount());
      clocked_outputs_.push_back(port);
    }
  }
  for (const auto& port : value_outputs_) {
    const Variable& variable = *port->variable;
    const bool is_text = variable.type == VariableType::String || variable.type == VariableType::Binary;
    port->with.reset();
    if (is_text || !variable.clocks.empty()) continue;
    AddToBatch(out_, port->with.emplace(), port->first, variable, port->texts.size());
  }
  const std::vector<ValueReference>& updated = instance_->Options().intermediate_variables;
  for (const auto& [item, variable] : numeric_inputs_) {
    if (item->Provider() == nullptr) continue;
    const std::size_t elements = item->ElementCount();
    InputPort port{
        .item = item, .variable = variable, .before = std::vector<double>(elements), .slope = {}, .held = {}};
    port.continuous = variable->variability == Variability::Continuous && IsFloat(variable->type);
    port.in_update = std::ranges::find(updated, variable->value_reference) != updated.end();
    const bool has_slope = port.continuous && !variable->IsArray() && variable->type == VariableType::Float64;
    if (has_slope && instance_->Offers().can_interpolate_inputs && !exchange && mode_ == InputsAt::Linear) {
      port.slope_index = static_cast<std::ptrdiff_t>(slope_references_.size());
      slope_references_.push_back(variable->value_reference);
    }
    port.moves = port.continuous && (exchange || port.in_update || port.slope_index >= 0);
    if (variable->clocks.empty()) {
      AddToBatch(port.in_update    ? moving_in_
                 : port.continuous ? continuous_in_
                                   : in_,
                 port.batch, port.first, *variable, elements);
    } else {
      add_alone(clocked_in_, port, elements);
    }
    port.slope.resize(elements);
    inputs_.push_back(std::move(port));
  }
  // The addresses of the numbers, after the batches have all their variables.
  for (OutputPort& port : outputs_) port.only = OnlyDouble(out_[port.batch], port.first, port.item->ElementCount());
  for (OutputPort& port : clocked_outputs_) {
    port.only = OnlyDouble(clocked_out_[port.batch], port.first, port.item->ElementCount());
  }
  for (InputPort& port : inputs_) {
    if (mode_ == InputsAt::End) port.only = OnlyDouble(BatchOf(port), port.first, port.item->ElementCount());
  }
  slope_orders_.assign(slope_references_.size(), 1);
  slopes_.assign(slope_references_.size(), 0.0);
  for (auto* ports : {&value_outputs_, &value_inputs_}) {
    for (const auto& port : *ports) {
      port->known = false;
      const VariableType type = port->variable->type;
      if (type == VariableType::String || type == VariableType::Binary || port->with) continue;
      port->batch = ValueBatch(*instance_, type);
      port->batch.Add(port->variable->value_reference, port->texts.size());
    }
  }
  discrete_set_ = in_;
  is_discrete_set_ = false;
  bool has_discrete = !in_.empty() || !clocked_in_.empty();
  for (ClockPort& port : clock_ports_) {
    port.ticks = 0;
    has_discrete |= port.input != nullptr && port.input->Provider() != nullptr;
  }
  for (const auto& port : value_inputs_) has_discrete |= port->input->Provider() != nullptr;
  const bool holds = missing_.ItsManner() == MissingInputs::Manner::Hold;
  are_inputs_plain_ = !exchange && slope_references_.empty() && !holds && !(in_events_ && has_discrete) &&
                      std::ranges::all_of(inputs_, [](const InputPort& port) { return port.only != nullptr; });
  takes_inputs_ = !inputs_.empty() || (in_events_ && has_discrete);
  next_ticks_ = -1;
  if (exchange) {
    SolverOptions options;
    options.method = solver_.Value() == "adams" ? SolverMethod::Adams : SolverMethod::Bdf;
    options.linear = LinearSolverOf(linear_solver_.Value());
    options.tolerance_for = tolerance_for_.Value() == "step" ? ToleranceFor::Step : ToleranceFor::Result;
    options.relative_tolerance =
        tolerance_.HasValue() ? tolerance_.Value() : description_->experiment.tolerance.value_or(1e-6);
    if (absolute_tolerance_.HasValue()) options.absolute_tolerance = absolute_tolerance_.Value();
    auto stepper = std::make_unique<ModelExchange>(*instance_, options, MakeHooks());
    model_exchange_ = stepper.get();
    stepper_ = std::move(stepper);
  } else {
    auto stepper = std::make_unique<CoSimulation>(*instance_, MakeHooks(), retry_steps_.Value());
    co_simulation_ = stepper.get();
    stepper_ = std::move(stepper);
  }
  knows_states_ = false;
}

StepperHooks Fmu::MakeHooks() {
  StepperHooks hooks;
  if (Kind() == InterfaceKind::ModelExchange && !continuous_in_.empty()) {
    hooks.set_inputs = [this](double time) { SetNumbersAt(time); };
  }
  if (in_events_ && takes_inputs_) hooks.set_discrete = [this](const Clocks& clocks) { SetDiscreteInputs(clocks); };
  const bool has_clocked_values =
      std::ranges::any_of(value_outputs_, [](const auto& port) { return !port->variable->clocks.empty(); });
  if (in_events_ && (!clocked_outputs_.empty() || has_clocked_values)) {
    hooks.at_event = [this](const Clocks& clocks) { GetClockedOutputs(clocks); };
  }
  return hooks;
}

void Fmu::BeginInitialization(double begin) {
  const auto set = [this](bool structural) {
    for (const StartValue& value : start_values_) {
      const Variable& variable = description_->variables[static_cast<std::size_t>(value.variable)];
      if ((variable.causality == Causality::StructuralParameter) == structural)
        SetStartValue(*instance_, stepper_->ItsClocks(), value);
    }
  };
  const bool has_structural = std::ranges::any_of(start_values_, [this](const StartValue& value) {
    return description_->variables[static_cast<std::size_t>(value.variable)].causality ==
           Causality::StructuralParameter;
  });
  if (has_structural) {
    instance_->EnterConfiguration();
    set(true);
    instance_->ExitConfiguration();
  }
  set(false);
  Experiment experiment{.start = begin, .stop = initial_stop_, .tolerance = {}};
  if (tolerance_.HasValue()) {
    experiment.tolerance = tolerance_.Value();
  } else if (description_->experiment.tolerance) {
    experiment.tolerance = description_->experiment.tolerance;
  }
  instance_->EnterInitialization(experiment);
  stepper_->Initialize(begin);
  if (layer_ != nullptr) layer_->Initializing(*instance_, begin, ToSeconds(TimeStep()));
}

void Fmu::EnterInitialization() {
  End();
  remarks_.clear();
  const std::string missing = missing_inputs_.Value();
  missing_.Begin(missing == "hold"   ? MissingInputs::Manner::Hold
                 : missing == "pass" ? MissingInputs::Manner::Pass
                                     : MissingInputs::Manner::Refuse);
  const Stamp begin = StartTime();
  ended_ = false;
  missing_since_.reset();
  first_step_ = true;
  step_ticks_ = static_cast<std::int64_t>(std::llround(TimeStep().count * kTicksPerDay));
  step_ = static_cast<double>(step_ticks_) / kTicksPerSecond / seconds_per_unit_;
  if (epoch_.HasValue() && !epoch_.Value().empty()) {
    const double days = begin.mjd - ParseIsoTime(epoch_.Value(), 0.0);
    begin_ = std::round(days * kTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;  // stamps are exact to a microsecond
  } else {
    begin_ = fmu_start_.HasValue() ? fmu_start_.Value() : description_->experiment.start.value_or(0.0);
  }
  initial_stop_.reset();
  if (EndTime() != kFarFuture) {
    std::int64_t ticks =
        static_cast<std::int64_t>(std::llround((EndTime() - begin).count * kTicksPerDay / 1000.0)) * 1000;
    // Whole steps may go beyond the end of the run.
    const bool whole = Kind() == InterfaceKind::CoSimulation && !description_->Of(Kind())->can_handle_variable_step;
    if (whole && ticks % step_ticks_ != 0) ticks += step_ticks_ - ticks % step_ticks_;
    initial_stop_ = FmuTime(ticks);
  }
  if (log_file_.HasValue() && !log_file_.Value().empty()) {
    log_ = std::make_unique<LogFile>(results_folder_.PathOf(log_file_.Value(), PathOf(log_file_.Value())));
  }

  InstanceOptions options;
  options.name = Caption();
  options.kind = Kind();
  const bool has_clocks = !description_->clocks.empty();
  options.event_mode = event_mode_.Value() == "true" || (event_mode_.Value() == "auto" && has_clocks);
  options.early_return = early_return_.Value();
  if (log_ != nullptr) {
    options.logging = true;
    options.log_categories = Listed(log_categories_.Value());
    options.log = [this](const LogMessage& message) { log_->Write(message); };
  }
  if (options.kind == InterfaceKind::CoSimulation && mode_ == InputsAt::Linear &&
      description_->Of(options.kind)->provides_intermediate_update) {
    for (const auto& [item, variable] : numeric_inputs_) {
      if (item->Provider() != nullptr && variable->intermediate_update) {
        options.intermediate_variables.push_back(variable->value_reference);
      }
    }
    if (!options.intermediate_variables.empty()) {
      options.intermediate = [this](const IntermediateMoment& moment) {
        if (moment.may_set) SetNumbersAt(moment.time);
        return kMissing;
      };
    }
  }
  instance_ = Instance::Make(files_->Folder(), *description_, std::move(options));
  MakeStepper();
  BeginInitialization(begin_);
  is_entered_ = true;
}

void Fmu::Start(Stamp begin) {
  if (!is_entered_) EnterInitialization();
  EndInitialization();
  is_entered_ = false;
  ended_ = stepper_->Start(begin_);
  GetOutputs();
  PublishValues(begin);
  if (layer_ != nullptr) layer_->GetOutputs(*instance_, begin);
}

}  // namespace openmi::fmi
