// The items of a model, and the copying of values between model and items.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "bmi-bridge/component/BmiComponent.hpp"
#include "bmi-bridge/component/ListArgument.hpp"
#include "bmi-bridge/component/LookBack.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/ElementCopies.hpp"
#include "timespace/ElementFile.hpp"

namespace openmi::bmi {
namespace {

constexpr std::size_t kMostVariables = 100;  // variables that become items without being named
constexpr std::size_t kLeastShown = 1024;    // values of a row from which it is shown in place
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kBeyondMeaning = 1e100;
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
                          Suggest(name, all) + (&argument == &wanted_inputs_
                                                    ? "; a parameter that the model does not list is set with the "
                                                      "argument parameters"
                                                    : ""));
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

void BmiComponent::SetParameters() {
  for (const auto& [name, text] : PairsOf(parameters_.Value(), Caption(), "parameters")) {
    const auto refuse = [&](const std::string& problem, const std::string& remedy) {
      throw ArgumentError(Place("parameters"), fmt::format("'{}': {}", name, problem), remedy);
    };
    std::vector<double> values;
    for (std::string_view rest = Trimmed(text); !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(" \t,"), rest.size());
      double value = 0.0;
      const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, value);
      if (error != std::errc() || stop != rest.data() + end) {
        refuse(fmt::format("expected numbers, found '{}'", rest.substr(0, end)), "write them as in 'satdk=1e-6'");
      }
      values.push_back(value);
      rest = Trimmed(rest.substr(std::min(end + 1, rest.size())));
    }
    if (values.empty()) refuse("expected a value, found none", "write it as in 'satdk=1e-6'");
    // Models give little information about a variable that is not an input: the default is a number in double
    // precision.
    const ItemKind kind = ItemKindOf(model_->VarType(name).value_or("double"), model_->VarItemsize(name).value_or(8));
    if (kind == ItemKind::None) refuse("expected a parameter that is a number, found another type", "leave it out");
    std::size_t count = values.size();
    if (const auto nbytes = model_->VarNbytes(name); nbytes && *nbytes > 0) {
      count = static_cast<std::size_t>(*nbytes) / SizeOf(kind);
    }
    if (values.size() == 1) values.resize(std::max<std::size_t>(count, 1), values.front());
    if (values.size() != count) {
      refuse(fmt::format("expected {} values, found {}", count, values.size()), "give one, or one for each");
    }
    std::vector<std::byte> memory(values.size() * SizeOf(kind));
    try {
      GiveValues(kind, values, memory.data());
      model_->SetValue(name, memory.data());
    } catch (const RangeError& error) {
      refuse(error.Problem(), error.Remedy());
    } catch (const ModelError& error) {
      refuse(error.Problem(), "see which parameters the model's set_value takes");
    }
  }
}

std::shared_ptr<const ElementSet> BmiComponent::LumpedElements() const {
  const std::string file = elements_file_.HasValue() ? elements_file_.Value() : std::string();
  const std::string area = area_.HasValue() ? area_.Value() : std::string();
  const std::string wanted = element_.HasValue() ? element_.Value() : std::string();
  if (file.empty() && area.empty()) {
    if (wanted.empty()) return nullptr;
    return std::make_shared<const ElementSet>(ElementSet::IdBased(Caption(), {wanted}));
  }
  ElementSet elements = file.empty()
                            ? ElementSet::IdBased(Caption(), {wanted.empty() ? Caption() : wanted})
                            : ReadElementFile(PathOf(file), Caption(),
                                              {.ids = id_property_.HasValue() ? id_property_.Value() : "",
                                               .reference_system = system_.Item().IsSet() ? system_.Value() : ""});
  if (!file.empty() && (!wanted.empty() || elements.ElementCount() != 1)) {
    std::vector<std::string> ids;
    for (int i = 0; i < elements.ElementCount(); ++i) ids.push_back(elements.IdOf(i));
    const int index = wanted.empty() ? -1 : elements.IndexOf(wanted);
    if (index < 0) {
      throw ArgumentError(Place("element"),
                          wanted.empty()
                              ? fmt::format("expected the id of the model's element, as '{}' has {}, found none", file,
                                            elements.ElementCount())
                              : fmt::format("expected an element of '{}', found '{}'", file, wanted),
                          Suggest(wanted, ids));
    }
    elements = SubsetOf(elements, std::span(&index, 1));
  }
  if (!area.empty()) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(area.data(), area.data() + area.size(), value);
    const std::string unit(Trimmed(std::string_view(end, static_cast<std::size_t>(area.data() + area.size() - end))));
    const bool is_number = error == std::errc() && value > 0.0;
    bool is_area = false;
    try {
      is_area = is_number && Convertible(Unit::Parse(unit), Unit::Parse("m2"));
    } catch (const UnitError&) {  // refused below
    }
    if (!is_area) {
      throw ArgumentError(Place("area"), fmt::format("expected an area above 0 with its unit, found '{}'", area),
                          "write it as in '15.6 km2'");
    }
    elements.SetAttribute("area", unit, {value});
  }
  return std::make_shared<const ElementSet>(std::move(elements));
}

bool BmiComponent::AreMeant(std::span<const double> row) {
  return std::ranges::none_of(row, [](double value) {
    const double size = std::abs(value);
    return (size > 0.0 && size < std::numeric_limits<double>::min()) || size > kBeyondMeaning;
  });
}

std::vector<BmiComponent::OutputPort*> BmiComponent::UnsetPorts() {
  std::vector<OutputPort*> unset;
  if (is_updated_) return unset;
  const bool is_given = unset_.HasValue() && !unset_.Value().empty();
  std::vector<std::string> names = is_given ? ListOf(unset_.Value()) : std::vector<std::string>();
  if (std::ranges::find(names, "none") != names.end()) return unset;
  bool all = std::ranges::find(names, "*") != names.end();
  std::vector<double> row;
  std::vector<OutputPort*> instants;
  OutputPort* first = nullptr;  // the first one with uninitialized memory
  for (OutputPort& port : outputs_) {
    if (port.item->Gives() != OutputTime::Instant) continue;
    instants.push_back(&port);
    if (is_given || first != nullptr) continue;
    row.resize(port.variable.count);
    const std::uint64_t copied = copied_values_;
    TakeRow(port, row, 1.0);
    copied_values_ = copied;  // counts published values only
    if (!AreMeant(row)) first = &port;
  }
  all = all || first != nullptr;
  if (first != nullptr) unset.push_back(first);
  for (OutputPort* port : instants) {
    const bool is_named = std::ranges::find(names, port->variable.name) != names.end();
    if (port != first && (all || is_named)) unset.push_back(port);
  }
  return unset;
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
  if (unset_.HasValue()) {
    for (const std::string& name : ListOf(unset_.Value())) {
      if (name == "*" || name == "none" || std::ranges::find(all_outputs, name) != all_outputs.end()) continue;
      throw ArgumentError(Place("unset-at-start"), fmt::format("expected an output of the model, found '{}'", name),
                          Suggest(name, all_outputs));
    }
  }
  const std::set<std::string> spans = named(spans_);
  const std::set<std::string> per_step = named(per_step_);
  const auto unit_of = [&units](const Variable& variable) {
    const auto given = units.find(variable.name);
    return given != units.end() ? given->second : variable.units;
  };
  grids_ = std::make_unique<GridElements>(*model_, ReferenceSystemNamed(system_.Value()));
  const std::shared_ptr<const ElementSet> lumped = LumpedElements();
  const auto elements_of = [&](const Variable& variable) {
    const std::shared_ptr<const ISpatialDefinition> elements = grids_->Of(variable, warnings_);
    return elements == nullptr && variable.count == 1 ? std::shared_ptr<const ISpatialDefinition>(lumped) : elements;
  };
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
        name, DefinitionOf(port.variable, unit_of(port.variable), is_rate), elements_of(port.variable), this,
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
        name, DefinitionOf(port.variable, unit_of(port.variable), is_rate), elements_of(port.variable), this,
        is_span ? InputTime::Span : InputTime::Instant));
    port.item->SetDefault(kMissing);  // the value in the model is kept
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
      model_->SetValue(port.variable.name, const_cast<double*>(row.data()));  // the C binding of BMI has no const
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
    // The base class publishes rows that end with the step; a row of a model that went further is stamped at the time
    // of the model.
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
