// The items of a model, and how values get from one side to the other.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "bmi-bridge/component/ListArgument.hpp"
#include "bmi-bridge/component/LookBack.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/ElementFile.hpp"

namespace openmi::bmi {
namespace {

constexpr std::size_t kMostVariables = 100;  // that become items without being named
constexpr std::size_t kLeastShown = 1024;    // values of a row that is worth showing in place
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr Days kJustBefore = kTimeTolerance * 4.0;

}  // namespace

std::vector<std::string> BmiComponent::Chosen(const std::vector<std::string>& all,
                                              const Argument<std::string>& argument, const char* what) {
  if (!argument.HasValue()) {
    if (all.size() <= kMostVariables) return all;
    warnings_.push_back(
        fmt::format("the model has {} variables for {}, and none was made; name those that matter in "
                    "the argument '{}'",
                    all.size(), what, what));
    return {};
  }
  std::vector<std::string> chosen;
  for (const std::string& name : ListOf(argument.Value())) {
    if (name == "*") return all;
    if (name == "none") return {};
    if (std::ranges::find(all, name) == all.end()) {
      throw ArgumentError(Place(what), fmt::format("expected a variable of the model, found '{}'", name),
                          Suggest(name, all));
    }
    if (std::ranges::find(chosen, name) == chosen.end()) chosen.push_back(name);
  }
  return chosen;
}

std::unique_ptr<const IValueDefinition> BmiComponent::DefinitionOf(const Variable& variable, const std::string& units,
                                                                   bool per_step) {
  const std::string text = per_step ? fmt::format("({}) s-1", units) : units;
  try {
    return std::make_unique<Quantity>(Unit::Parse(text), variable.name);
  } catch (const UnitError&) {
    std::string message = fmt::format("the unit '{}' of '{}' cannot be read, and counts as none", units, variable.name);
    if (units != "none") warnings_.push_back(message + "; give it in the argument 'units'");
    return std::make_unique<Quantity>(Unit(units.empty() ? "1" : units, 1.0, 0.0, Dimension()), variable.name);
  }
}

void BmiComponent::MakeItems() {
  outputs_.clear();
  inputs_.clear();
  items_.clear();
  const std::vector<std::string> all_inputs = model_->InputNames();
  const std::vector<std::string> all_outputs = model_->OutputNames();
  std::vector<std::string> all = all_inputs;
  all.insert(all.end(), all_outputs.begin(), all_outputs.end());
  const std::map<std::string, std::string> units = PairsOf(units_.Value(), Caption(), "units");
  const auto named = [&](const Argument<std::string>& argument) {
    std::set<std::string> names;
    for (const std::string& name : ListOf(argument.Value())) {
      if (std::ranges::find(all, name) == all.end()) {
        throw ArgumentError(Place(argument.Item().Id()),
                            fmt::format("expected a variable of the model, found '{}'", name), Suggest(name, all));
      }
      names.insert(name);
    }
    return names;
  };
  for (const auto& [name, unit] : units) {
    if (std::ranges::find(all, name) == all.end()) {
      throw ArgumentError(Place("units"), fmt::format("expected a variable of the model, found '{}'", name),
                          Suggest(name, all));
    }
  }
  const std::set<std::string> spans = named(spans_);
  const std::set<std::string> per_step = named(per_step_);
  const auto unit_of = [&units](const Variable& variable) {
    const auto given = units.find(variable.name);
    return given != units.end() ? given->second : variable.units;
  };
  grids_ = std::make_unique<GridElements>(*model_, ReferenceSystemNamed(system_.Value()));
  GridElements& elements = *grids_;
  const auto prepare = [](Port& port, bool is_rate) {
    port.is_rate = is_rate;
    if (port.variable.kind != ItemKind::Float64) port.memory.resize(port.variable.count * SizeOf(port.variable.kind));
  };

  for (const std::string& name : Chosen(all_outputs, wanted_outputs_, "outputs")) {
    OutputPort port;
    port.variable = ReadVariable(*model_, name, warnings_);
    if (port.variable.kind == ItemKind::None) continue;
    const bool is_rate = per_step.contains(name);
    prepare(port, is_rate);
    const bool is_span = is_rate || spans.contains(name);
    port.item = &TakeOutput(std::make_unique<NumericOutput>(
        name, DefinitionOf(port.variable, unit_of(port.variable), is_rate), elements.Of(port.variable, warnings_), this,
        is_span ? OutputTime::Span : OutputTime::Instant));
    outputs_.push_back(std::move(port));
  }
  for (const std::string& name : Chosen(all_inputs, wanted_inputs_, "inputs")) {
    InputPort port;
    port.variable = ReadVariable(*model_, name, warnings_);
    if (port.variable.kind == ItemKind::None) continue;
    const bool is_rate = per_step.contains(name);
    prepare(port, is_rate);
    const bool is_span = is_rate || spans.contains(name);
    port.item = &TakeInput(std::make_unique<NumericInput>(
        name, DefinitionOf(port.variable, unit_of(port.variable), is_rate), elements.Of(port.variable, warnings_), this,
        is_span ? InputTime::Span : InputTime::Instant));
    port.item->SetDefault(kMissing);  // the model's own value holds, whatever that is
    inputs_.push_back(std::move(port));
  }
  for (const OutputPort& port : outputs_) items_.push_back(port.item);
}

void BmiComponent::FollowGrids() {
  if (!moving_grids_.Value()) return;
  try {
    grids_->Follow();
  } catch (const Error& error) {
    throw ModelError(Place(error.Place().item), fmt::format("a grid that moves: {}", error.Problem()),
                     error.Remedy().empty() ? "let the model keep what its grids consist of" : error.Remedy());
  }
}

void BmiComponent::GiveInputs(double seconds) {
  for (InputPort& port : inputs_) {
    if (port.item->Provider() == nullptr) continue;
    std::span<const double> row = port.item->Row();
    if (port.is_rate) {
      port.scaled.assign(row.begin(), row.end());
      for (double& value : port.scaled) value *= seconds;
      row = port.scaled;
    }
    if (port.variable.kind == ItemKind::Float64) {
      model_->SetValue(port.variable.name, const_cast<double*>(row.data()));  // their binding knows no const
      continue;
    }
    try {
      GiveValues(port.variable.kind, row, port.memory.data());
    } catch (const RangeError& error) {
      throw RangeError(Place(port.variable.name), error.Problem(), error.Remedy());
    }
    model_->SetValue(port.variable.name, port.memory.data());
  }
}

void BmiComponent::TakeRow(OutputPort& port, std::span<double> row, double seconds) {
  const Variable& variable = port.variable;
  const auto nbytes = model_->VarNbytes(variable.name);
  if (nbytes && static_cast<std::size_t>(*nbytes) != variable.count * SizeOf(variable.kind)) {
    throw ModelError(Place(variable.name),
                     fmt::format("expected {} bytes as at the begin, found {}: its grid changed",
                                 variable.count * SizeOf(variable.kind), *nbytes),
                     "let the model keep its grid");
  }
  if (const void* const pointer = model_->ValuePtr(variable.name)) {
    TakeValues(variable.kind, pointer, row);
  } else if (variable.kind == ItemKind::Float64) {
    model_->GetValue(variable.name, row.data());
  } else {
    model_->GetValue(variable.name, port.memory.data());
    TakeValues(variable.kind, port.memory.data(), row);
  }
  copied_values_ += row.size();
  if (port.is_rate) {
    for (double& value : row) value /= seconds;
  }
}

bool BmiComponent::MayShow() {
  const std::size_t takers = TakersOf(items_);
  if (takers != takers_) {
    takers_ = takers;
    may_show_ = NobodyLooksBack(items_);
  }
  return may_show_;
}

void BmiComponent::TakeOutputs(Stamp from, Stamp to, double until, double seconds) {
  const bool overshot = model_time_ > until + TimeTolerance();
  const Stamp end = overshot ? StampAt(model_time_) : to;
  bool may_show = false;
  bool is_known = false;
  for (OutputPort& port : outputs_) {
    const bool is_large =
        port.variable.count >= kLeastShown && port.variable.kind == ItemKind::Float64 && !port.is_rate;
    if (is_large && !is_known) {
      may_show = MayShow();
      is_known = true;
    }
    if (is_large && may_show && Show(port, from, end)) continue;
    OwnShownRow(port);
    TakeRow(port, port.item->NextRow(), seconds);
    // The base publishes what ends with the step; a row of a model that went further stands where the model is.
    if (overshot && port.item->Gives() == OutputTime::Span) port.item->PublishAt(from, end - from);
    if (overshot && port.item->Gives() == OutputTime::Instant) port.item->PublishAt(end, Days{});
  }
}

bool BmiComponent::Show(OutputPort& port, Stamp from, Stamp end) {
  const auto* const values = static_cast<const double*>(model_->ValuePtr(port.variable.name));
  const auto nbytes = model_->VarNbytes(port.variable.name);
  if (values == nullptr || (nbytes && static_cast<std::size_t>(*nbytes) != port.variable.count * sizeof(double))) {
    return false;
  }
  DropShownRow(port);
  const bool is_span = port.item->Gives() == OutputTime::Span;
  const ShownRow row{.begin = is_span ? from : end,
                     .duration = is_span ? end - from : Days{},
                     .values = {values, port.variable.count}};
  port.item->ShowRows({&row, 1});
  port.is_shown = true;
  ++shown_rows_;
  return true;
}

void BmiComponent::KeepShownRows() {
  for (OutputPort& port : outputs_) {
    if (port.is_shown && (!MayShow() || Before(port.item->EarliestNeeded(), port.item->LatestEnd()))) OwnShownRow(port);
  }
}

void BmiComponent::DropShownRow(OutputPort& port) {
  if (!std::exchange(port.is_shown, false)) return;
  port.item->ForgetAfter(port.item->LatestEnd() - kJustBefore);
}

void BmiComponent::OwnShownRow(OutputPort& port) {
  if (!port.is_shown) return;
  const RowHistory& rows = port.item->History();
  const Stamp begin = rows.Begin(rows.LastIndex());
  const Days duration = rows.Duration(rows.LastIndex());
  const std::vector<double> values(rows.LastRow().begin(), rows.LastRow().end());
  copied_values_ += values.size();
  DropShownRow(port);
  std::ranges::copy(values, port.item->NextRow().begin());
  port.item->PublishAt(begin, duration);
}

}  // namespace openmi::bmi
