#include "bmi-bridge/component/BmiComponent.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "bmi-bridge/component/StateTrial.hpp"
#include "bmi-bridge/component/WorkingDirectory.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::bmi {
namespace {

constexpr std::size_t kMostVariables = 100;  // variables that become items without being named

/// \param more  what follows in the remedy
void RequireKnown(const std::string& name, const std::vector<std::string>& known, const Where& place,
                  const char* kind = "a variable", const char* more = "") {
  if (std::ranges::find(known, name) != known.end()) return;
  throw ArgumentError(place, fmt::format("expected {} of the model, found '{}'", kind, name),
                      Suggest(name, known) + more);
}

/// The variables that become items.
/// \param argument  `inputs` or `outputs`
/// \param is_rank   whether other ranks may have those that this one has not
std::vector<std::string> Chosen(const Model& model, const std::vector<std::string>& all,
                                const Argument<std::string>& argument, bool is_rank,
                                std::vector<std::string>& warnings) {
  const std::string what = argument.Item().Id();
  if (!argument.HasValue()) {
    if (all.size() <= kMostVariables) return all;
    warnings.push_back(
        fmt::format("the model has {} variables for {}, and none was made; name those that matter in "
                    "the argument '{}'",
                    all.size(), what, what));
    return {};
  }
  std::vector<std::string> chosen;
  for (const std::string& name : ListOf(argument.Value())) {
    if (name == "*") return all;
    if (name == "none") return {};
    if (is_rank && std::ranges::find(all, name) == all.end()) continue;
    RequireKnown(
        name, all, model.Place(what), "a variable",
        what == "inputs" ? "; a parameter that the model does not list is set with the argument parameters" : "");
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

std::unique_ptr<const IValueDefinition> DefinitionOf(const Port& port, const std::string& units,
                                                     std::vector<std::string>& warnings) {
  const std::string& name = port.variable.name;
  try {
    return std::make_unique<Quantity>(Unit::Parse(port.is_rate ? fmt::format("({}) s-1", units) : units), name);
  } catch (const UnitError&) {
    if (!MeansNoUnit(units)) {
      warnings.push_back(fmt::format(
          "the unit '{}' of '{}' cannot be read, and counts as none; give it in the argument 'units'", units, name));
    }
    return std::make_unique<Quantity>(Unit(units.empty() ? "1" : units, 1.0, 0.0, Dimension()), name);
  }
}

/// Gives the model the values of the argument `parameters`.
void SetParameters(Model& model, const std::string& parameters) {
  for (const auto& [name, text] : PairsOf(parameters, model.Place("parameters"))) {
    const auto refuse = [&, &name = name](const std::string& problem, const std::string& remedy) {
      throw ArgumentError(model.Place("parameters"), fmt::format("'{}': {}", name, problem), remedy);
    };
    std::vector<double> values;
    for (std::string_view rest = Trimmed(text); !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(" \t,"), rest.size());
      const auto value = AsNumber<double>(rest.substr(0, end));
      if (!value) {
        refuse(fmt::format("expected numbers, found '{}'", rest.substr(0, end)), "write them as in 'satdk=1e-6'");
      }
      values.push_back(*value);
      rest = Trimmed(rest.substr(std::min(end + 1, rest.size())));
    }
    if (values.empty()) refuse("expected a value, found none", "write it as in 'satdk=1e-6'");
    // Models give little information about a variable that is not an input: the default is a number in double
    // precision.
    const auto kind = NumberTypeNamed(model.VarType(name).value_or("double"), model.VarItemsize(name).value_or(8));
    if (!kind) refuse("expected a parameter that is a number, found another type", "leave it out");
    std::size_t count = values.size();
    if (const auto nbytes = model.VarNbytes(name); nbytes && *nbytes > 0) {
      count = static_cast<std::size_t>(*nbytes) / SizeOf(*kind);
    }
    if (values.size() == 1) values.resize(std::max<std::size_t>(count, 1), values.front());
    if (values.size() != count) {
      refuse(fmt::format("expected {} values, found {}", count, values.size()), "give one, or one for each");
    }
    Bytes memory(values.size() * SizeOf(*kind));
    try {
      GiveValues(*kind, values, memory.data());
      model.SetValue(name, memory.data());
    } catch (const RangeError& error) {
      refuse(error.Problem(), error.Remedy());
    } catch (const ModelError& error) {
      refuse(error.Problem(), "see which parameters the model's set_value takes");
    }
  }
}

}  // namespace

BmiComponent::BmiComponent() : StatefulSteppingComponent("bmi-model"), arguments_{ArgumentItems()} {
  SetDescription("a model of a library that offers BMI 2.0");
  SetRestartable(true);
  SetThreadSafe(false);  // unknown what the models of a library share
}

BmiComponent::~BmiComponent() {
  try {
    End();
  } catch (const std::exception&) {  // destroyed without Finish: no caller can receive it
  }
}

std::string BmiComponent::FamilyKey() const {
  return library_ != nullptr ? library_->File().string() : TextOf(arguments_.library);
}

void BmiComponent::LoadModel() {
  LibraryOptions options{.flavour = arguments_.flavour.Value(),
                         .entry = TextOf(arguments_.register_function),
                         .needs = ListOf(arguments_.needs.Value()),
                         .one_instance = arguments_.instances.Value() == "one"};
  if (options.one_instance && arguments_.reentrant.Value()) {
    throw ArgumentError({.component = Caption(), .item = "reentrant"},
                        "expected a library without global state, found instances = one",
                        "leave out one of the arguments 'reentrant' and 'instances'");
  }
  SetThreadSafe(arguments_.reentrant.Value());
  // Absolute, because the library is loaded in the working directory.
  for (std::string& name : options.needs) {
    if (std::error_code error; std::filesystem::exists(PathOf(name), error)) {
      name = std::filesystem::absolute(PathOf(name)).string();
    }
  }
  std::string file = PathOf(arguments_.library.Value());
  if (std::error_code error; !std::filesystem::is_regular_file(file, error)) {
    file = LibrarySearch().Find(arguments_.library.Value(), PathOf("."));
  }
  if (std::error_code error; std::filesystem::is_regular_file(file, error)) {
    file = std::filesystem::absolute(file).string();
  }
  const auto absolute = [this](const Argument<std::string>& argument) {
    const std::string path = TextOf(argument);
    return path.empty() ? path : std::filesystem::absolute(PathOf(path)).string();
  };
  config_ = absolute(arguments_.config_file);
  // Checked before the model reads the file: some models crash.
  if (!config_.empty() && access(config_.c_str(), R_OK) != 0) {
    throw FileError({.file = config_, .component = Caption()},
                    "expected a configuration file that can be read, found none", "correct the argument 'config-file'");
  }
  folder_ = absolute(arguments_.working_directory);
  const WorkingDirectory here(folder_);
  library_ = Library::Load(file, options);
  model_ = MakeModel();
  solve_ = SolveFunctions::Find(*library_);
  const std::string name = model_->ComponentName();
  SetDescription(fmt::format("{} (BMI 2.0: {})", name.empty() ? "a model without a name" : name, library_->HandOver()));
}

std::unique_ptr<Model> BmiComponent::MakeModel() const {
  std::unique_ptr<Model> model = library_->Make();
  model->SetCaption(Caption());
  if (as_set_.communicator) {
    library_->InitializeOnRanks(*model, config_, as_set_.communicator->handle);
  } else {
    model->Initialize(config_);
  }
  SetParameters(*model, arguments_.parameters.Value());
  return model;
}

void BmiComponent::SetTimes() {
  as_set_.has_own_step = !ArgumentItems().Find("time-step")->IsSet();
  SetWholeSteps(clock_.MakesWholeSteps() || solve_ != nullptr);
  if (as_set_.has_own_step) SetTimeStep(Seconds(clock_.StepSeconds(*model_)));
  if (const auto begin = clock_.ByEpoch(clock_.Now())) {
    const Stamp end = *clock_.ByEpoch(clock_.End());
    SetDefaultTimes(*begin, end);
    SetOutputHorizon(*begin, end);
  } else if (std::isfinite(clock_.End()) && ArgumentItems().Find("start-time")->IsSet()) {
    // The start of the run is known only if an argument gives it.
    SetOutputHorizon(StartTime(), StartTime() + Seconds(clock_.InSeconds(clock_.End() - clock_.Now())));
  }
}

void BmiComponent::Setup() {
  End();
  warnings_.clear();
  LoadModel();
  const WorkingDirectory here(folder_);
  clock_.Read(*model_, arguments_, warnings_);
  SetTimes();
  MakeItems();
  states_.Choose(*model_, arguments_.states.Value(), ListOf(TextOf(arguments_.state_variables)));
  ability_.reset();
  as_set_.follows_grids = arguments_.moving_grids.Value();
  as_set_.retries = static_cast<int>(arguments_.retries.Value());
}

void BmiComponent::MakeItems() {
  outputs_.Clear();
  inputs_.Clear();
  std::vector<std::string> all_inputs = model_->InputNames();
  std::erase(all_inputs, kCommunicatorVariable);
  const std::vector<std::string> all_outputs = model_->OutputNames();
  std::vector<std::string> all = all_inputs;
  all.insert(all.end(), all_outputs.begin(), all_outputs.end());
  const bool is_rank = as_set_.communicator.has_value();
  const std::map<std::string, std::string> units = PairsOf(arguments_.units.Value(), model_->Place("units"));
  for (const auto& [name, unit] : units) {
    if (!is_rank) RequireKnown(name, all, model_->Place("units"));
  }
  for (const std::string& name : ListOf(TextOf(arguments_.unset_at_start))) {
    if (name != "*" && name != "none" && !is_rank)
      RequireKnown(name, all_outputs, model_->Place("unset-at-start"), "an output");
  }
  const auto named = [&](const Argument<std::string>& argument) {
    const std::vector<std::string> names = ListOf(argument.Value());
    for (const std::string& name : names) {
      if (!is_rank) RequireKnown(name, all, model_->Place(argument.Item().Id()));
    }
    return std::set<std::string>(names.begin(), names.end());
  };
  const std::set<std::string> spans = named(arguments_.spans);
  const std::set<std::string> per_step = named(arguments_.per_step);
  grids_ =
      std::make_unique<GridElements>(*model_, ReferenceSystemNamed(arguments_.elements_system.Value()),
                                     as_set_.communicator ? std::optional(as_set_.communicator->rank) : std::nullopt);
  const std::shared_ptr<const ElementSet> given =
      GivenElements(arguments_, *model_, Caption(), PathOf(TextOf(arguments_.elements_file)));
  bool has_taken = false;
  const auto port_of = [&](const std::string& name) {
    Port port{.is_rate = per_step.contains(name), .variable = ReadVariable(*model_, name, warnings_)};
    const Variable& variable = port.variable;
    if (variable.kind && variable.kind != NumberType::Float64)
      port.memory.resize(variable.count * SizeOf(*variable.kind));
    return port;
  };
  const auto definition_of = [&](const Port& port) {
    const auto unit = units.find(port.variable.name);
    return DefinitionOf(port, unit != units.end() ? unit->second : port.variable.units, warnings_);
  };
  const auto elements_of = [&](const Variable& variable) {
    std::vector<std::string> warnings;
    std::shared_ptr<const ISpatialDefinition> elements = grids_->Of(variable, warnings);
    const auto* own = dynamic_cast<const IElementSet*>(elements.get());
    const bool has_place = own != nullptr && own->ElementType() != ElementType::IdBased;
    if (given != nullptr && !has_place && static_cast<std::size_t>(given->ElementCount()) == variable.count) {
      has_taken = true;
      return std::shared_ptr<const ISpatialDefinition>(given);
    }
    warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
    return elements;
  };
  const auto is_span = [&](const Port& port) { return port.is_rate || spans.contains(port.variable.name); };

  for (const std::string& name : Chosen(*model_, all_outputs, arguments_.outputs, is_rank, warnings_)) {
    Port port = port_of(name);
    if (!port.variable.kind) continue;
    auto& item = AddItem<NumericOutput>(name, definition_of(port), elements_of(port.variable), "",
                                        is_span(port) ? OutputTime::Span : OutputTime::Instant);
    outputs_.Add(std::move(port), item);
  }
  for (const std::string& name : Chosen(*model_, all_inputs, arguments_.inputs, is_rank, warnings_)) {
    Port port = port_of(name);
    if (!port.variable.kind) continue;
    auto& item = AddItem<NumericInput>(name, definition_of(port), elements_of(port.variable), "",
                                       is_span(port) ? InputTime::Span : InputTime::Instant);
    item.SetDefault(kNotANumber);  // the value in the model is kept
    inputs_.Add(std::move(port), item);
  }
  as_set_.makes_parts = (inputs_.HasAmounts() || outputs_.HasSpans()) && arguments_.update_until.Value() != "always";
  if (given != nullptr && !has_taken && given->ElementCount() > 1) {
    throw ArgumentError(
        model_->Place("element"),
        fmt::format("expected the id of the model's element, or a variable without places for the {} of "
                    "the file, found neither",
                    given->ElementCount()),
        Suggest("", IdsOf(*given)));
  }
}

void BmiComponent::FollowGrids() {
  if (!as_set_.follows_grids) return;
  try {
    grids_->Follow();
  } catch (const Error& error) {
    throw ModelError(model_->Place(error.Place().item), fmt::format("a grid that moves: {}", error.Problem()),
                     error.Remedy().empty() ? "let the model keep what its grids consist of" : error.Remedy());
  }
}

bool BmiComponent::OnValidate(std::vector<std::string>& messages) {
  const bool valid = StatefulSteppingComponent::OnValidate(messages);
  for (const std::string& warning : warnings_) messages.push_back(Caption() + ": " + warning);
  if (valid && model_ != nullptr && !clock_.IsUpdated() && TextOf(arguments_.unset_at_start).empty()) {
    const WorkingDirectory here(folder_);
    if (const auto unset = outputs_.Unset(*model_, {}); !unset.empty()) {
      messages.push_back(fmt::format(
          "{}: before its first update the model shows uninitialized memory (see '{}'), so all its outputs are missing "
          "at the start; name those that are not set by then in the argument 'unset-at-start'",
          Caption(), unset.front()->Id()));
    }
  }
  return valid;
}

Stamp BmiComponent::StepEnd(Stamp now) const {
  return as_set_.has_own_step ? clock_.StampAfterStep(StartTime(), now) : WholeStepEnd();
}

void BmiComponent::Start(Stamp begin) {
  const WorkingDirectory here(folder_);
  if (StepLog* log = states_.Log()) log->Clear();
  clock_.Begin(*model_, begin);
  RequireRetries();
  FollowGrids();
  outputs_.TakeFirst(*model_);
  if (clock_.IsUpdated()) return;
  for (NumericOutput* item : outputs_.Unset(*model_, TextOf(arguments_.unset_at_start))) {
    std::ranges::fill(item->NextRow(), kNotANumber);
  }
}

void BmiComponent::Step(Stamp from, Stamp to) {
  const WorkingDirectory here(folder_);
  // The end of a step after an open one was estimated before the clock of the model moved.
  const bool is_own_step = as_set_.has_own_step && (open_ ? SameTime(to, StepEnd(from)) : to == StepEnd(from));
  const double before = clock_.Now();
  double until = clock_.NextStepEnd();
  if (!is_own_step) {
    // Whole steps are counted, because a stamp is exact only to a microsecond.
    until = clock_.TimeAfter(to == WholeStepEnd() ? Nanoseconds() + std::round(TimeStep().count * kTicksPerDay)
                                                  : std::round(ToSeconds(to - StartTime()) * 1e6) * 1e3);
  }
  if (!(before < until - clock_.Tolerance())) return;  // it went further, and its rows are published
  if (open_ && IteratesInStep()) return IterateInStep(from, to, until);
  outputs_.Shown().Keep();
  try {
    MakeStep(until, is_own_step);
  } catch (...) {
    outputs_.Shown().DropAll();
    outputs_.DropParts();
    throw;
  }
  FollowGrids();
  const bool overshot = clock_.Now() > until + clock_.Tolerance();
  outputs_.Take(*model_, from, overshot ? clock_.StampAt(clock_.Now(), StartTime()) : to, overshot,
                clock_.InSeconds(clock_.Now() - part_begin_));
}

void BmiComponent::MakeStep(double until, bool is_own_step) {
  part_begin_ = clock_.Now();
  const double tolerance = clock_.Tolerance();
  while (as_set_.makes_parts && !is_own_step && clock_.NextStepEnd() > clock_.Now() + tolerance &&
         clock_.NextStepEnd() < until - tolerance) {
    Advance(clock_.NextStepEnd(), false, as_set_.retries);
  }
  if (clock_.Now() < until - tolerance) Advance(until, is_own_step, as_set_.retries);
}

void BmiComponent::Advance(double until, bool is_own_step, int retries) {
  const double before = clock_.Now();
  if (before != part_begin_) {  // the model shows what it made last until it goes on
    outputs_.TakePart(*model_, clock_.InSeconds(before - part_begin_));
    part_begin_ = before;
  }
  StateWriter kept;
  if (retries > 0) SaveModel(kept);
  const double end = clock_.MakesWholeSteps() ? std::max(until, clock_.NextStepEnd()) : until;
  inputs_.Give(*model_, clock_.InSeconds(end - before), states_.Log());
  try {
    clock_.Advance(*model_, until, is_own_step);
    if (StepLog* log = states_.Log()) log->AddStep(until, is_own_step);
    return;
  } catch (const ModelError&) {
    if (retries == 0) throw;
  }
  StateReader reader(kept.Bytes());
  SetModel(reader);
  Advance(before + 0.5 * (until - before), false, retries - 1);
  Advance(until, false, retries - 1);
}

void BmiComponent::RequireRetries() {
  if (arguments_.retries.Value() == 0) return;
  const auto refuse = [this](const std::string& problem, const char* remedy) {
    throw ArgumentError(model_->Place("retries"), problem, remedy);
  };
  if (!AbilityOfStates().as_bytes) {
    refuse("expected a model that can be set back, for retries, found one that cannot: " + ability_->why_not,
           "leave the argument 'retries' out");
  }
  if (clock_.MakesWholeSteps()) {
    refuse("expected a model that makes shorter steps (update_until), for retries, found one that makes whole ones",
           "leave the argument 'retries' out");
  }
}

Model& BmiComponent::Initialized() const {
  if (model_ != nullptr) return *model_;
  throw StateError({.component = Caption()}, "expected a model that is initialized, found none",
                   "call Initialize first");
}

ModelFacts BmiComponent::Facts() {
  Model& model = Initialized();
  const WorkingDirectory here(folder_);
  ModelFacts facts{.name = model.ComponentName(),
                   .library = library_->File().string(),
                   .hand_over = library_->HandOver(),
                   .has_one_model = library_->HasOneModel(),
                   .has_update_until = model.CanUpdateUntil(),
                   .has_solve = solve_ != nullptr,
                   .now = clock_.Now(),
                   .start = model.StartTime(),
                   .end = std::isfinite(clock_.End()) ? std::optional(clock_.End()) : std::nullopt,
                   .step = model.TimeStep(),
                   .time_units = model.TimeUnits().value_or(std::string()),
                   .seconds_per_unit = clock_.InSeconds(1.0),
                   .epoch_now_mjd = {},
                   .variables = {},
                   .states = states_.Way()};
  if (const auto now = clock_.ByEpoch(clock_.Now())) facts.epoch_now_mjd = now->mjd;
  std::vector<std::string> ignored;  // Validate reports them
  facts.variables = ReadVariables(model, ignored);
  return facts;
}

void BmiComponent::CheckModel(Problems& problems) {
  Model& model = Initialized();
  const WorkingDirectory here(folder_);
  CheckAnswers(model, problems);
}

const StateAbility& BmiComponent::AbilityOfStates() {
  static const StateAbility kNotYet{
      .in_memory = false, .as_bytes = false, .why_not = "it is not initialized, so its library is not known"};
  if (model_ == nullptr) return kNotYet;
  if (ability_) return *ability_;
  std::string why;
  if (IteratesInStep()) {
    ability_ =
        StateAbility{.as_bytes = false, .why_not = "it iterates within its steps, and keeps no states otherwise"};
    return *ability_;
  }
  if (states_.Way() == StateWay::None) {
    why = arguments_.states.Value() == "none"
              ? "its argument 'states' is none"
              : "its library has no variables for states, and neither 'state-variables' nor 'states' says how";
  } else {
    const WorkingDirectory here(folder_);
    why = library_->Once(states_.Text(), [this] {
      const std::vector<Variable> inputs = inputs_.Variables();
      const std::vector<Variable> outputs = outputs_.Variables();
      return TryStates({.make =
                            [this] {
                              if (library_->HasOneModel()) model_.reset();  // that of the child process
                              return MakeModel();
                            },
                        .one_model = library_->HasOneModel(),
                        .in_process = library_->Flavour() == Flavour::Python,
                        .halvings = arguments_.retries.Value(),
                        .arguments = arguments_,
                        .inputs = inputs,
                        .outputs = outputs},
                       states_);
    });
    if (!why.empty()) why = "a trial of its states in a child process found: " + why;
  }
  ability_ = StateAbility{.in_memory = why.empty(), .as_bytes = why.empty(), .why_not = why};
  return *ability_;
}

void BmiComponent::RequireStates() {
  if (AbilityOfStates().in_memory) return;
  throw StateError({.component = Caption()},
                   "expected a model whose state can be kept, found one whose state cannot: " + ability_->why_not,
                   "see the arguments 'states' and 'state-variables'");
}

const IIdentifiable& BmiComponent::KeepCurrentState() {
  RequireStates();
  if (!IteratesInStep()) return StatefulSteppingComponent::KeepCurrentState();
  if (open_) {
    throw StateError({.component = Caption()},
                     "expected one state at a time of a model that iterates within its steps, found another",
                     "only iterated loops can use such states");
  }
  static const Identifier kStartOfStep("start-of-step");
  open_ = OpenStep{.from = CurrentTime(), .ticks = TicksOfCentury(), .to = kFarPast};
  return kStartOfStep;
}

void BmiComponent::RestoreState(const IIdentifiable& state_id) {
  if (!IteratesInStep() || !open_) return StatefulSteppingComponent::RestoreState(state_id);
  ReturnTo(open_->from, open_->ticks);
}

void BmiComponent::ClearState(const IIdentifiable& state_id) {
  if (!IteratesInStep() || !open_) return StatefulSteppingComponent::ClearState(state_id);
  CompleteStep();
}

void BmiComponent::IterateInStep(Stamp from, Stamp to, double until) {
  const bool is_new = open_->to == kFarPast;
  if (!is_new && !(SameTime(from, open_->from) && SameTime(to, open_->to))) {
    throw ModelError({.component = Caption()},
                     fmt::format("expected one step of this component in each step of the loop, to {}, found one to {}",
                                 FormatIsoTime(open_->to), FormatIsoTime(to)),
                     "give the components of the loop steps of the same length, and do not shorten them");
  }
  if (is_new) solve_->Begin(*model_, until - clock_.Now());
  open_->to = to;
  inputs_.Give(*model_, clock_.InSeconds(until - clock_.Now()), nullptr);
  outputs_.Shown().OwnAll();
  open_->has_converged = solve_->Iterate(*model_);
  outputs_.Copy(*model_, clock_.InSeconds(until - clock_.Now()));
}

void BmiComponent::CompleteStep() {
  const OpenStep step = *std::exchange(open_, std::nullopt);
  if (step.to == kFarPast) return;  // nothing was computed
  const WorkingDirectory here(folder_);
  solve_->End(*model_);
  clock_.Follow(*model_);
}

const IIdentifiable& BmiComponent::ConvertFromByteArray(ByteView bytes) {
  RequireStates();
  return StatefulSteppingComponent::ConvertFromByteArray(bytes);
}

void BmiComponent::SaveModel(StateWriter& writer) const {
  writer.Write(StartTime().mjd);
  states_.Save(*model_, writer);
  clock_.Save(writer);
}

void BmiComponent::SetModel(StateReader& reader) {
  const Stamp start{reader.ReadDouble()};
  if (states_.Way() == StateWay::Replay) {
    model_.reset();  // a library may have only one
    model_ = MakeModel();
    grids_->Use(*model_);
    std::vector<std::string> ignored;
    clock_.Read(*model_, arguments_, ignored);
    clock_.Begin(*model_, start);
  }
  states_.Load(*model_, clock_, reader);
  clock_.Load(*model_, reader, ToSeconds(StartTime() - start));
}

void BmiComponent::SaveState(StateWriter& writer) const {
  const WorkingDirectory here(folder_);
  SaveModel(writer);
}

void BmiComponent::LoadState(StateReader& reader) {
  const WorkingDirectory here(folder_);
  outputs_.Shown().OwnAll();
  SetModel(reader);
  FollowGrids();
}

void BmiComponent::End() {
  if (model_ == nullptr) return;
  const WorkingDirectory here(folder_);
  outputs_.Shown().OwnAll();
  open_.reset();
  grids_.reset();
  const std::unique_ptr<Model> model = std::move(model_);
  const std::shared_ptr<Library> library = library_;
  model->Finalize();
}

}  // namespace openmi::bmi
