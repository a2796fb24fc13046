#include "bmi-bridge/export/ExportedRun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "composition/check/CheckComposition.hpp"
#include "composition/control/RunDesk.hpp"
#include "composition/model/CompositionReader.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::bmi {
namespace {

constexpr double kTimeNoise = 2e-6;  // seconds: possible error of a stamp
constexpr Stamp kBegin{51544.0};     // 2000-01-01: of a component whose OMI file has no start-time
constexpr Days kLong{36525.0};       // a century

/// A composition of the component of an OMI file.
CompositionFile Alone(const std::filesystem::path& path) {
  const OmiFile omi = ReadOmiFile(path);
  CompositionFile file;
  file.path = path.parent_path() / "composition.xml";
  file.id = path.stem().string();
  ComponentSpec component;
  component.id = "model";
  component.omi = path.filename().string();
  file.components.push_back(std::move(component));
  const auto time_of = [&](const char* key, Stamp otherwise) {
    const OmiArgument* given = omi.Argument(key);
    return given != nullptr ? ParseIsoTime(given->value, 0.0) : otherwise;
  };
  file.run.emplace();
  file.run->from = time_of("start-time", kBegin);
  file.run->to = time_of("end-time", *file.run->from + kLong);
  return file;
}

/// The error that ended a run; a general one if none was recorded.
[[noreturn]] void ThrowErrorOf(const CompositionRun& run, const Problems& problems) {
  for (const Problem& problem : problems) {
    if (problem.severity == Problem::Error) throw ModelError(problem.where, problem.problem, problem.remedy);
  }
  throw StateError({},
                   fmt::format("expected a run that goes on, found one that is over at {}", FormatIsoTime(run.Now())),
                   "do not update beyond get_end_time");
}

}  // namespace

ExportedRun::ExportedRun(const std::string& config) {
  const std::filesystem::path path = std::filesystem::absolute(config).lexically_normal();
  if (std::error_code error; !std::filesystem::is_regular_file(path, error)) {
    throw FileError({.file = path.string()}, "expected a composition or an OMI file, found none",
                    "name one as the configuration file of the model");
  }
  is_single_ = path.extension() == ".omi";
  Problems problems;
  file_ = is_single_ ? Alone(path) : ReadCompositionFile(path, problems);
  ThrowIfErrors(problems);
  if (!file_.run) {
    throw FormatError({.file = path.string()}, "expected a Run element, found none",
                      "add <Run From=\"...\" To=\"...\"/>");
  }
  // The caller records and keeps states.
  file_.observes.clear();
  file_.compares.clear();
  file_.checkpoints.reset();
  file_.results = {};
  file_.run->pace.reset();
  Load();
  ReadItems();
}

ExportedRun::~ExportedRun() {
  try {
    Finish();
  } catch (const std::exception&) {  // call Finish before to get the error
  }
}

void ExportedRun::Load() {
  views_.clear();
  run_.reset();
  composition_.reset();
  auto composition = std::make_unique<Composition>(file_);
  Problems problems;
  composition->Load(problems);
  composition->Connect(problems);
  ThrowIfErrors(problems);
  composition_ = std::move(composition);
}

void ExportedRun::ReadItems() {
  std::map<const ISpatialDefinition*, std::size_t> known;
  const auto add = [&](const Instance& instance, const ITimeSpaceExchangeItem& item, bool is_input) {
    const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
    if (quantity == nullptr) return;  // BMI has numbers only
    ExportedVariable variable;
    variable.item = fmt::format("{}.{}", instance.Id(), item.Id());
    variable.name = is_single_ ? item.Id() : variable.item;
    variable.units = quantity->Unit().Caption();
    variable.is_input = is_input;
    const auto* input = dynamic_cast<const NumericInput*>(&item);
    variable.is_set = is_input && (input == nullptr || !input->HasDefault());
    const ISpatialDefinition* const where = item.SpatialDefinition();
    const auto [grid, is_new] = known.try_emplace(where, grids_.size());
    if (is_new) grids_.emplace_back(where);
    variable.grid = grid->second;
    const auto count = where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : std::size_t{1};
    variable.values.assign(count, is_input ? 0.0 : std::nan(""));
    variables_.push_back(std::move(variable));
  };
  for (const Instance& instance : composition_->Instances()) {
    for (const IBaseInput* input : instance.Component().Inputs()) {
      const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(input);
      if (item != nullptr && input->Provider() == nullptr) add(instance, *item, true);
    }
  }
  for (const Instance& instance : composition_->Instances()) {
    for (const IBaseOutput* output : instance.Component().Outputs()) {
      if (const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(output)) add(instance, *item, false);
    }
  }
  const IBaseLinkableComponent& first = composition_->Instances().front().Component();
  name_ = is_single_ ? first.Description() : file_.caption;
  if (name_.empty()) name_ = file_.id;
}

ExportedVariable& ExportedRun::Find(std::string_view name) {
  const auto found = std::ranges::find(variables_, name, &ExportedVariable::name);
  if (found != variables_.end()) return *found;
  std::vector<std::string> names;
  for (const ExportedVariable& variable : variables_) names.push_back(variable.name);
  throw ArgumentError({.file = file_.path.string()}, fmt::format("expected a variable, found '{}'", name),
                      Suggest(std::string(name), names));
}

void ExportedRun::Begin() {
  if (run_ != nullptr) return;
  for (const ExportedVariable& variable : variables_) {
    if (variable.is_set) composition_->SupplyInput(RunDesk::Cut(variable.item), SuppliedBetween::Previous);
  }
  Problems problems;
  CheckComposition(*composition_, problems);
  ThrowIfErrors(problems);
  RunOptions options;
  options.write_results = false;
  run_ = std::make_unique<CompositionRun>(*composition_, problems, options);
  SupplyInputs();
  run_->Begin();
  if (run_->State() == RunState::Over) ThrowErrorOf(*run_, run_->Record().problems);
  const RunDesk desk(*run_);
  for (ExportedVariable& variable : variables_) {
    if (!variable.is_input) views_.emplace_back(&variable, OutputView(desk.ProxyOf(variable.item)));
  }
  ShowOutputs();
}

double ExportedRun::InSeconds(Stamp time) const {
  return std::round(ToSeconds(time - *file_.run->from) * 1e6) / 1e6;
}

double ExportedRun::Now() const {
  return run_ != nullptr ? InSeconds(run_->Now()) : 0.0;
}

double ExportedRun::StepLength() {
  Begin();
  double length = 0.0;
  for (const std::size_t trigger : composition_->Triggers()) {
    const Instance& instance = composition_->Instances()[trigger];
    length = std::max(length, ToSeconds(instance.NextTime() - instance.CurrentTime()));
  }
  return std::round(length * 1e6) / 1e6;
}

void ExportedRun::SupplyInputs() {
  const Stamp now = *file_.run->from + Seconds(Now());
  for (const ExportedVariable& variable : variables_) {
    if (variable.is_set) run_->Supply(variable.item, now, Days(), variable.values);
  }
}

void ExportedRun::ShowOutputs() {
  for (auto& [variable, view] : views_) {
    const std::span<const double> row = view.Latest().values;
    if (row.size() == variable->values.size()) {
      std::ranges::copy(row, variable->values.begin());
    } else {
      std::ranges::fill(variable->values, std::nan(""));
    }
  }
}

void ExportedRun::AdvanceTo(double time) {
  for (ExportedVariable& variable : variables_) {
    const bool is_written = std::ranges::any_of(variable.values, [](double value) { return value != 0.0; });
    if (variable.is_input && is_written) Set(variable);  // through its pointer
  }
  Begin();
  if (!(time > Now() + kTimeNoise)) {
    throw StateError({}, fmt::format("expected a time after {} s, found {} s", Now(), time), "update to a later time");
  }
  if (run_->State() == RunState::Over) ThrowErrorOf(*run_, run_->Record().problems);
  SupplyInputs();
  has_advanced_ = true;
  const std::size_t before = run_->Record().problems.size();
  const Stamp goal = *file_.run->from + Seconds(time);
  const bool goes_on = run_->AdvanceTo(goal);
  const Problems& all = run_->Record().problems;
  const Problems found(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
  if (!goes_on && (HasErrors(found) || Before(run_->Now(), std::min(goal, *file_.run->to)))) {
    ThrowErrorOf(*run_, found);
  }
  ShowOutputs();
}

const std::vector<double>& ExportedRun::Values(ExportedVariable& variable) {
  if (!variable.is_input) Begin();
  return variable.values;
}

void ExportedRun::Set(ExportedVariable& variable) {
  if (!variable.is_input) {
    throw ArgumentError({.item = variable.name}, "expected an input, found an output", "set inputs only");
  }
  if (variable.is_set) return;
  if (has_advanced_) {
    throw StateError({.item = variable.name}, "expected an input that was set before the first update, found another",
                     "set all inputs that you supply before the first update");
  }
  variable.is_set = true;
  if (run_ != nullptr) Load();  // it was begun to show outputs, and nothing was computed
}

bool ExportedRun::KeepsStates() {
  return std::ranges::all_of(composition_->Instances(),
                             [](const Instance& instance) { return KeepsState(instance.Component()); });
}

Bytes ExportedRun::State() {
  Begin();
  StateWriter writer;
  writer.Write(has_advanced_);
  for (const ExportedVariable& variable : variables_) {
    if (!variable.is_input) continue;
    writer.Write(variable.is_set);
    writer.Write(variable.values);
  }
  writer.Write(ByteView(run_->SerializeState(run_->SaveState())));
  return writer.Take();
}

void ExportedRun::SetState(ByteView bytes) {
  StateReader reader(bytes);
  const bool has_advanced = reader.ReadBool();
  std::vector<bool> were_set;
  for (const ExportedVariable& variable : variables_) were_set.push_back(variable.is_set);
  bool is_new = false;  // other inputs are supplied than before
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!variables_[i].is_input) continue;
    variables_[i].is_set = reader.ReadBool();
    is_new = is_new || variables_[i].is_set != were_set[i];
    reader.ReadDoubles(std::span<double>(variables_[i].values));
  }
  if (is_new && run_ != nullptr) Load();
  Begin();
  run_->RestoreState(run_->DeserializeState(reader.ReadBytes()));
  has_advanced_ = has_advanced;
  ShowOutputs();
}

void ExportedRun::Finish() {
  if (run_ == nullptr) return;
  views_.clear();
  run_->End();
  run_.reset();
  composition_.reset();
}

}  // namespace openmi::bmi
