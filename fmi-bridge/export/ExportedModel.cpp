#include "fmi-bridge/export/ExportedModel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Variables.hpp"
#include "fmi-bridge/export/CollectInterface.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::exported {
namespace {

constexpr double kWithoutEnd = 3e9;  // s: 95 years

std::string TextOf(const ExportedVariable& parameter, double value) {
  if (parameter.type == VariableType::Boolean) return value != 0.0 ? "true" : "false";
  if (parameter.type == VariableType::Int64) return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

void SetArgument(CompositionFile& file, const std::string& component, const std::string& key, std::string value) {
  const auto spec = std::ranges::find(file.components, component, &ComponentSpec::id);
  if (spec == file.components.end()) return;
  const auto argument = std::ranges::find(spec->arguments, key, &ArgumentSpec::key);
  if (argument != spec->arguments.end()) {
    argument->value = std::move(value);
  } else {
    spec->arguments.push_back({.key = key, .value = std::move(value), .line = spec->line});
  }
}

}  // namespace

ExportedModel::ExportedModel(std::filesystem::path resources)
    : resources_(std::move(resources)), interface_(ReadExportInterface(resources_ / kInterfaceFile)) {
  if (interface_.HasForm()) TakeForm();
}

ExportedModel::ExportedModel(ExportInterface interface, CompositionFile file, Variables variables)
    : file_(std::move(file)), variables_(std::move(variables)), interface_(std::move(interface)) {}

ExportedModel::~ExportedModel() {
  Drop();
}

/// Importers unpack the whole FMU, but some pass on the resources only: the description may be there, too.
void ExportedModel::TakeForm() {
  std::filesystem::path description = resources_.parent_path() / "modelDescription.xml";
  if (!std::filesystem::exists(description)) description = resources_ / "modelDescription.xml";
  Problems problems;
  CompositionFile file = ReadCompositionFile(resources_ / interface_.composition, problems);
  ThrowIfErrors(problems);
  const std::string component = file.components.at(0).id;
  SetArgument(file, component, interface_.description_argument, description.string());
  Composition composition(file, variables_);
  composition.Load(problems);
  ThrowIfErrors(problems);
  news_ = std::move(problems);
  auto* described = dynamic_cast<IFmuForm*>(&composition.Instances().at(0).Component());
  if (described == nullptr) {
    throw FormatError({.file = description.string(), .component = component},
                      "expected a component that defines its own FMU variables (IFmuForm), found one that does not",
                      "export the FMU again");
  }
  const FmuForm form = described->Form();
  news_.insert(news_.end(), form.notes.begin(), form.notes.end());
  interface_.token = form.token;
  interface_.variables.erase(interface_.variables.begin() + 1, interface_.variables.end());
  interface_.variables.front().reference = kNoReference;
  for (ExportedVariable variable : form.variables) {
    variable.component = component;
    if (variable.role == VariableRole::Time) {
      interface_.variables.front().reference = variable.reference;
    } else {
      interface_.variables.push_back(std::move(variable));
    }
  }
  interface_.Number();
  file_ = std::move(file);
}

Stamp ExportedModel::StampOf(double seconds) const {
  constexpr double kTicksPerSecond = 1e9;
  constexpr double kMost = 9e18;
  const double ticks = std::round(seconds * kTicksPerSecond);
  if (!(std::abs(ticks) < kMost)) {
    throw RangeError({}, fmt::format("expected a time within 285 years of the start, found {} s", seconds));
  }
  return interface_.from + Days{ticks / (kSecondsPerDay * kTicksPerSecond)};
}

void ExportedModel::PutStartValues() {
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.type == VariableType::String) continue;
    const bool is_unknown = variable.role == VariableRole::Output;
    std::fill_n(values_ + variable.first, variable.count, is_unknown ? variable.start_missing : variable.start);
  }
}

std::vector<std::string> ExportedModel::StartTexts() const {
  std::vector<std::string> texts(interface_.texts);
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.type == VariableType::String) texts.at(variable.first - interface_.slots) = variable.start_text;
  }
  return texts;
}

std::vector<double> ExportedModel::ParametersNow() const {
  std::vector<double> parameters;
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role == VariableRole::Parameter && variable.type != VariableType::String) {
      parameters.push_back(values_[variable.first]);
    }
  }
  return parameters;
}

void ExportedModel::ApplyParameters(CompositionFile& file) const {
  auto parameter = setting_.parameters.begin();
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Parameter) continue;
    if (variable.type == VariableType::String) {
      const std::string& text = setting_.texts.at(variable.first - interface_.slots);
      // `${name}` in a text of the importer is not replaced by variables of the model.
      if (text != variable.start_text) SetArgument(file, variable.component, variable.item, AsItIs(text));
    } else if (const double value = *parameter++; value != variable.start) {
      SetArgument(file, variable.component, variable.item, TextOf(variable, value));
    }
  }
}

void ExportedModel::Drop() {
  items_.Drop();
  run_.reset();
  limit_ = nullptr;
  composition_.reset();
  reported_ = 0;
}

void ExportedModel::Evaluate(double start, std::optional<double> stop, std::vector<std::string> texts) {
  if (texts.size() != interface_.texts) {
    throw RangeError({}, fmt::format("expected {} texts, found {}", interface_.texts, texts.size()));
  }
  Begin({start, stop, std::move(texts), ParametersNow()});
  items_.PutOutputs(StampOf(start), values_);
}

void ExportedModel::Begin(RunSetting setting) {
  Drop();
  setting_ = std::move(setting);
  Problems problems;
  CompositionFile file = file_ ? *file_ : ReadCompositionFile(resources_ / interface_.composition, problems);
  ApplyParameters(file);
  if (!file.run) throw FormatError({.file = file.path.string()}, "expected a Run element, found none");
  file.run->line = 0;  // no longer a line of the file
  file.run->from = StampOf(setting_.start);
  const double stop = interface_.stop_seconds > 0.0 ? interface_.stop_seconds : setting_.start + kWithoutEnd;
  file.run->to = StampOf(setting_.stop.value_or(stop));
  if (!(*file.run->to > *file.run->from)) {
    throw RangeError({},
                     fmt::format("expected a start time before {} s, where the composition ends, found {} s",
                                 interface_.stop_seconds, setting_.start),
                     "give a stop time");
  }
  composition_ = std::make_unique<Composition>(std::move(file), variables_);
  composition_->SetResultsFolder({});  // the FMU runs in the importer's folders and has no results folder
  composition_->Load(problems);
  Watch();
  composition_->Connect(problems);
  ThrowIfErrors(problems);
  items_.UseInputs(*composition_);
  if (interface_.HasForm()) limit_ = dynamic_cast<IStepLimit*>(&composition_->Instances().front().Component());
  CheckComposition(*composition_, problems);
  ThrowIfErrors(problems);
  news_.insert(news_.end(), problems.begin(), problems.end());
  RunOptions options;
  options.write_results = false;
  run_ = std::make_unique<CompositionRun>(*composition_, Problems(), options);
  items_.UseOutputs(*composition_);
  own_step_seconds_ = PreferredStep(*composition_);
  items_.Supply(values_, StampOf(setting_.start), true);
  run_->Begin();
  if (run_->State() == RunState::Over) ThrowRunProblems("expected the composition to begin, found that it does not");
}

// The status shows when components start and end calls, on any path. The listeners end with the components, before this
// object.
void ExportedModel::Watch() {
  if (!look_) return;
  worker_ = std::this_thread::get_id();
  for (auto& instance : composition_->Instances()) {
    if (!instance.IsThere()) continue;  // it could not be made, which is reported soon
    instance.Component().StatusChanged().Add([this](const auto&) {
      if (std::this_thread::get_id() == worker_) look_();
    });
  }
}

void ExportedModel::ThrowRunProblems(const std::string& otherwise) {
  const Problems& problems = run_->Record().problems;
  std::string text;
  for (std::size_t i = reported_; i < problems.size(); ++i) {
    if (problems[i].severity != Problem::Error) continue;
    text += (text.empty() ? "" : "\n") + FormatProblem(problems[i]);
  }
  reported_ = problems.size();
  throw ModelError({}, text.empty() ? otherwise : text);
}

void ExportedModel::Step(double time, double step) {
  if (run_ == nullptr) throw StateError({}, "expected a composition that was begun, for a step, found none");
  worker_ = std::this_thread::get_id();
  items_.Supply(values_, StampOf(time), false);
  const Stamp end = StampOf(time + step);
  if (limit_ != nullptr) limit_->ShortenNextStep(end);
  run_->AdvanceTo(end);
  if (Before(run_->Now(), end) || HasErrors({run_->Record().problems.begin() + static_cast<std::ptrdiff_t>(reported_),
                                             run_->Record().problems.end()})) {
    ThrowRunProblems(fmt::format("expected the composition to reach {} s, found it stopped before", time + step));
  }
  items_.PutOutputs(end, values_);
}

void ExportedModel::Terminate() {
  if (run_ == nullptr) return;
  const RunState state = run_->State();
  if (state != RunState::Created && state != RunState::Ended) run_->End();
  Drop();
}

void ExportedModel::Reset() {
  Drop();
  items_.ForgetTexts();
  PutStartValues();
}

Problems ExportedModel::TakeNews() {
  if (run_ != nullptr) {
    const Problems& problems = run_->Record().problems;
    reported_ = std::min(reported_, problems.size());
    news_.insert(news_.end(), problems.begin() + static_cast<std::ptrdiff_t>(reported_), problems.end());
    reported_ = problems.size();
  }
  return std::exchange(news_, {});
}

std::int64_t ExportedModel::SaveState(std::string note) {
  ExportedState state{.note = std::move(note), .values = {values_, values_ + interface_.slots}};
  if (run_ != nullptr) {
    state.has_run = true;
    state.setting = setting_;
    state.supplied = items_.Supplied();
    state.taps = items_.TappedRows();
    state.checkpoint = run_->SaveState();
  }
  return states_.Keep(std::move(state));
}

void ExportedModel::Restore(ExportedState& state) {
  if (!state.checkpoint) state.checkpoint = run_->DeserializeState(state.bytes);
  run_->RestoreState(*state.checkpoint);
  items_.Restore(state.taps, state.supplied);
}

std::string ExportedModel::RestoreState(std::int64_t number) {
  ExportedState& state = states_.Find(number);
  if (!state.has_run) {
    Drop();
  } else {
    bool is_done = false;
    if (run_ != nullptr && setting_ == state.setting) {
      try {
        Restore(state);
        is_done = true;
      } catch (const Error&) {  // a failed composition cannot go back: it is loaded again
      }
    }
    if (!is_done) {
      std::copy(state.values.begin(), state.values.end(), values_);
      Begin(state.setting);
      Restore(state);
    }
    reported_ = std::min(reported_, run_->Record().problems.size());
  }
  std::copy(state.values.begin(), state.values.end(), values_);
  return state.note;
}

}  // namespace openmi::exported
