#include "fmi-bridge/export/ExportedModel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Variables.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/results/FileHash.hpp"
#include "fmi-bridge/export/CollectInterface.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi::exported {
namespace {

constexpr char kStateForm[] = "openmi-fmu-state 1";
constexpr std::size_t kHashSize = 64;
constexpr double kWithoutEnd = 3e9;  // s: 95 years

/// Whether two lists of values have the same bits.
bool SameBits(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

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

/// Requires that an item is as the description states: parameters may have changed it.
void RequireSame(const ExportedVariable& variable, const ITimeSpaceExchangeItem& item) {
  const Where place{.component = variable.component, .item = variable.item};
  const ISpatialDefinition* where = item.SpatialDefinition();
  const auto count = static_cast<std::uint32_t>(where != nullptr ? where->ElementCount() : 1);
  if (count != variable.count) {
    throw RangeError(place, fmt::format("expected {} elements as the FMU declares, found {}", variable.count, count),
                     "export an FMU with these parameters");
  }
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  if (quantity != nullptr && quantity->Unit().Caption() != variable.unit && !variable.unit.empty() &&
      !quantity->Unit().Caption().empty()) {
    throw UnitError(
        place,
        fmt::format("expected the unit {} as the FMU declares, found {}", variable.unit, quantity->Unit().Caption()),
        "export an FMU with these parameters");
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
                      "expected a component with a form of its own as an FMU, found another", "export the FMU again");
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
    throw RangeError({}, fmt::format("expected a time within 285 years of the begin, found {} s", seconds));
  }
  return Stamp{interface_.from_mjd + ticks / (kSecondsPerDay * kTicksPerSecond)};
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
  for (auto& [proxy, tap] : taps_) proxy->RemoveListener(*tap);
  taps_.clear();
  run_.reset();
  inputs_.clear();
  text_outputs_.clear();
  limit_ = nullptr;
  composition_.reset();
  reported_ = 0;
}

void ExportedModel::Evaluate(double start, std::optional<double> stop, std::vector<std::string> texts) {
  if (texts.size() != interface_.texts) {
    throw RangeError({}, fmt::format("expected {} texts, found {}", interface_.texts, texts.size()));
  }
  Begin({start, stop, std::move(texts), ParametersNow()});
  PutOutputs(StampOf(start));
}

void ExportedModel::Begin(Setting setting) {
  Drop();
  setting_ = std::move(setting);
  Problems problems;
  CompositionFile file = file_ ? *file_ : ReadCompositionFile(resources_ / interface_.composition, problems);
  ApplyParameters(file);
  if (!file.run) throw FormatError({.file = file.path.string()}, "expected a Run element, found none");
  file.run->line = 0;  // no longer a line of the file
  file.run->from_mjd = StampOf(setting_.start).mjd;
  const double stop = interface_.stop_seconds > 0.0 ? interface_.stop_seconds : setting_.start + kWithoutEnd;
  file.run->to_mjd = StampOf(setting_.stop.value_or(stop)).mjd;
  if (!(file.run->to_mjd > file.run->from_mjd)) {
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
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Input) continue;
    SuppliedInput& input = composition_->SupplyInput({variable.component, variable.item}, SuppliedBetween::Previous);
    inputs_.push_back(&input);
    RequireSame(variable, *input.TheLink().Target());
  }
  if (interface_.HasForm()) limit_ = dynamic_cast<IStepLimit*>(&composition_->Instances().front().Component());
  CheckComposition(*composition_, problems);
  ThrowIfErrors(problems);
  news_.insert(news_.end(), problems.begin(), problems.end());
  RunOptions options;
  options.write_results = false;
  run_ = std::make_unique<CompositionRun>(*composition_, Problems(), options);
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output) continue;
    Problems missing;
    ITimeSpaceOutput* output = composition_->FindOutput({variable.component, variable.item}, 0, missing);
    ThrowIfErrors(missing);
    if (variable.type == VariableType::String) {
      text_outputs_.push_back(output);
      continue;
    }
    OutputProxy& proxy = composition_->Instances()[composition_->IndexOf(variable.component).value()].ProxyFor(*output);
    RequireSame(variable, proxy);
    taps_.emplace_back(&proxy,
                       std::make_unique<OutputTap>(variable.count, variable.missing, Stamp{interface_.from_mjd}));
    proxy.AddListener(*taps_.back().second);
  }
  own_step_seconds_ = PreferredStep(*composition_);
  supplied_.assign(values_, values_ + interface_.slots);
  Supply(setting_.start, true);
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

void ExportedModel::Supply(double time, bool all) {
  auto input = inputs_.begin();
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Input) continue;
    SuppliedInput& here = **input++;
    const double* row = values_ + variable.first;
    double* known = supplied_.data() + variable.first;
    if (!all && SameBits(row, known, variable.count)) continue;
    std::copy_n(row, variable.count, known);
    here.Supply(StampOf(time), Days{0.0}, {row, variable.count});
  }
}

void ExportedModel::PutOutputs(Stamp time) {
  auto tap = taps_.begin();
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output || variable.type == VariableType::String) continue;
    double* const row = values_ + variable.first;
    (tap++)->second->ValueAt(time, row);
    if (interface_.HasForm() && std::isnan(*row)) *row = variable.start_missing;
  }
}

std::vector<std::pair<std::uint32_t, std::string>> ExportedModel::TakeChangedTexts() {
  std::vector<std::pair<std::uint32_t, std::string>> changed;
  auto output = text_outputs_.begin();
  std::size_t place = 0;
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output || variable.type != VariableType::String) continue;
    if (output == text_outputs_.end()) break;
    const Value value = (*output++)->Values().GetValue(0, 0);
    if (place == shown_texts_.size()) shown_texts_.push_back(variable.start_text);
    std::string& shown = shown_texts_[place++];
    const auto* text = value.As<std::string>();
    const std::string& now = text != nullptr ? *text : variable.start_text;
    if (now == shown) continue;
    shown = now;
    changed.emplace_back(variable.first - interface_.slots, now);
  }
  return changed;
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
  Supply(time, false);
  const Stamp end = StampOf(time + step);
  if (limit_ != nullptr) limit_->ShortenNextStep(end);
  run_->AdvanceTo(end);
  if (Before(run_->Now(), end) || HasErrors({run_->Record().problems.begin() + static_cast<std::ptrdiff_t>(reported_),
                                             run_->Record().problems.end()})) {
    ThrowRunProblems(fmt::format("expected the composition to reach {} s, found it stopped before", time + step));
  }
  PutOutputs(end);
}

void ExportedModel::Terminate() {
  if (run_ == nullptr) return;
  const RunState state = run_->State();
  if (state != RunState::Created && state != RunState::Ended) run_->End();
  Drop();
}

void ExportedModel::Reset() {
  Drop();
  shown_texts_.clear();
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
  State state;
  state.note = std::move(note);
  state.values.assign(values_, values_ + interface_.slots);
  if (run_ != nullptr) {
    state.has_run = true;
    state.setting = setting_;
    state.supplied = supplied_;
    StateWriter taps;
    for (const auto& [proxy, tap] : taps_) tap->SaveState(taps);
    state.taps = taps.Take();
    state.checkpoint = run_->SaveState();
  }
  states_[next_state_] = std::move(state);
  return next_state_++;
}

ExportedModel::State& ExportedModel::Find(std::int64_t number) {
  const auto found = states_.find(number);
  if (found == states_.end()) throw RangeError({}, "expected a state of this instance, found none of that number");
  return found->second;
}

void ExportedModel::Restore(State& state) {
  if (!state.checkpoint) state.checkpoint = run_->DeserializeState(state.bytes);
  run_->RestoreState(*state.checkpoint);
  StateReader taps(state.taps);
  for (auto& [proxy, tap] : taps_) tap->LoadState(taps);
  supplied_ = state.supplied;
}

std::string ExportedModel::RestoreState(std::int64_t number) {
  State& state = Find(number);
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

std::string ExportedModel::StateToBytes(std::int64_t number) {
  const State& state = Find(number);
  StateWriter writer;
  writer.Write(kStateForm);
  writer.Write(std::string_view(interface_.token));
  writer.Write(std::string_view(state.note));
  writer.Write(state.values);
  writer.Write(state.has_run);
  writer.Write(state.setting.start);
  writer.Write(state.setting.stop.has_value());
  writer.Write(state.setting.stop.value_or(0.0));
  writer.Write(static_cast<std::int64_t>(state.setting.texts.size()));
  for (const std::string& text : state.setting.texts) writer.Write(std::string_view(text));
  writer.Write(state.setting.parameters);
  writer.Write(state.supplied);
  writer.Write(std::span<const std::byte>(state.taps));
  std::vector<std::byte> checkpoint = state.bytes;
  if (state.checkpoint) {
    if (run_ == nullptr) throw StateError({}, "expected a composition under way, to serialize its state, found none");
    checkpoint = run_->SerializeState(*state.checkpoint);
  }
  writer.Write(std::span<const std::byte>(checkpoint));
  const auto bytes = writer.Bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Sha256 hash;
  hash.Add(text);
  return hash.Finish() + std::string(text);
}

std::int64_t ExportedModel::BytesToState(std::string_view bytes) {
  const auto refuse = [](const char* found) {
    throw FormatError({}, std::string("expected the state of an instance of this FMU, found ") + found,
                      "give back the bytes that this FMU gave, all of them");
  };
  if (bytes.size() < kHashSize) refuse("too few bytes");
  Sha256 hash;
  hash.Add(bytes.substr(kHashSize));
  if (hash.Finish() != bytes.substr(0, kHashSize)) refuse("bytes that are damaged");
  StateReader reader(std::as_bytes(std::span(bytes.substr(kHashSize))));
  if (reader.ReadText() != kStateForm) refuse("something else");
  if (reader.ReadText() != interface_.token) refuse("that of another FMU");
  State state;
  state.note = reader.ReadText();
  state.values = reader.ReadDoubles();
  state.has_run = reader.ReadBool();
  state.setting.start = reader.ReadDouble();
  const bool has_stop = reader.ReadBool();
  const double stop = reader.ReadDouble();
  if (has_stop) state.setting.stop = stop;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) state.setting.texts.push_back(reader.ReadText());
  state.setting.parameters = reader.ReadDoubles();
  state.supplied = reader.ReadDoubles();
  const auto taps = reader.ReadBytes();
  state.taps.assign(taps.begin(), taps.end());
  const auto checkpoint = reader.ReadBytes();
  state.bytes.assign(checkpoint.begin(), checkpoint.end());
  reader.RequireEnd();
  if (state.values.size() != interface_.slots || (state.has_run && (state.supplied.size() != interface_.slots ||
                                                                    state.setting.texts.size() != interface_.texts))) {
    refuse("that of another number of variables");
  }
  states_[next_state_] = std::move(state);
  return next_state_++;
}

}  // namespace openmi::exported
