#include "fmi-bridge/export/CollectInterface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "composition/check/DescribeComponent.hpp"
#include "composition/state/ComponentState.hpp"
#include "fmi-bridge/common/description/DescribedUnit.hpp"
#include "fmi-bridge/export/PackedModel.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::exported {
namespace {

using Chosen = std::optional<std::vector<std::string>>;

class Collector {
 public:
  Collector(Composition& composition, bool is_single, Problems& problems)
      : composition_(composition), is_single_(is_single), problems_(problems) {
    found_.variables.push_back(TimeVariable());
  }

  /// \param inputs  an argument that is the start value of one of these inputs (an FMU has such) needs no parameter
  void AddParameters(const Chosen& chosen, const Chosen& inputs) {
    Choice choice(chosen);
    std::vector<std::string> closed;
    ComponentLoader loader;
    for (const Instance& instance : composition_.Instances()) {
      Problems ignored;  // reported when the composition was loaded
      const LoadedComponent fresh = LoadOmi(loader, instance.omi, &ignored);
      for (const IArgument* argument : instance.Component().Arguments()) {
        const std::string name = NameOf(instance, argument->Id());
        const bool is_wanted = choice.Takes(name);
        if (!is_wanted && WillBeInput(instance, argument->Id(), inputs)) continue;
        const std::string why = Refusal(instance, *argument, fresh);
        const bool is_plain = MeaningOf(*argument) == ArgumentMeaning::Plain;
        if (why.empty() && !chosen && !is_plain) closed.push_back(name);
        if (why.empty() && (is_wanted || (!chosen && is_plain))) {
          AddParameter(instance, *argument, name);
        } else if (is_wanted) {
          throw ArgumentError({.component = instance.Id(), .item = argument->Id()},
                              "expected an argument that can be a parameter, found " + why, "choose another");
        }
      }
    }
    choice.RequireAllFound("argument");
    if (closed.empty()) return;
    AddNote(
        problems_, {},
        fmt::format("arguments that may name files, code or machines are no parameters: {}", fmt::join(closed, ", ")),
        "offer one with --parameter, together with the other parameters, if you trust everyone who can set it");
  }

  void AddInputs(const Chosen& chosen) {
    Choice choice(chosen);
    for (const Instance& instance : composition_.Instances()) {
      for (IBaseInput* base : instance.Component().Inputs()) {
        if (base->Provider() != nullptr) {
          choice.Know(NameOf(instance, base->Id()));
          continue;
        }
        const std::string name = NameOf(instance, base->Id());
        const bool is_wanted = choice.Takes(name);
        if (chosen && !is_wanted) continue;
        auto* input = dynamic_cast<ITimeSpaceInput*>(base);
        ExportedVariable variable;
        if (!Describe(instance, input, *base, is_wanted, variable)) continue;
        variable.role = VariableRole::Input;
        if (const auto* numeric = dynamic_cast<NumericInput*>(base); numeric != nullptr && numeric->HasDefault()) {
          if (!numeric->Row().empty() && !std::isnan(numeric->Row().front())) variable.start = numeric->Row().front();
        }
        found_.variables.push_back(std::move(variable));
      }
    }
    choice.RequireAllFound("input");
  }

  void AddOutputs(Chosen chosen) {
    const bool takes_all = chosen && chosen->size() == 1 && chosen->front() == "all";
    if (!chosen && !composition_.File().observes.empty()) {
      chosen.emplace();
      for (const ObserveSpec& observe : composition_.File().observes) {
        if (std::ranges::find(*chosen, observe.item.Text()) == chosen->end()) chosen->push_back(observe.item.Text());
      }
    }
    if (takes_all) chosen.reset();
    Choice choice(chosen);
    for (const Instance& instance : composition_.Instances()) {
      for (IBaseOutput* base : instance.Component().Outputs()) {
        const std::string name = NameOf(instance, base->Id());
        const bool is_wanted = choice.Takes(name);
        if (chosen && !is_wanted) continue;
        ExportedVariable variable;
        auto* output = dynamic_cast<ITimeSpaceOutput*>(base);
        if (!Describe(instance, output, *base, is_wanted, variable)) continue;
        if (output->TimeSet() == nullptr) {
          Refuse(instance, *base, is_wanted, "an output whose values have no times");
          continue;
        }
        variable.role = VariableRole::Output;
        found_.variables.push_back(std::move(variable));
      }
    }
    choice.RequireAllFound("output");
  }

  ExportInterface Take() {
    std::set<std::string> names;
    for (ExportedVariable& variable : found_.variables) {
      while (!names.insert(variable.name).second) variable.name += "_";
    }
    found_.Number();
    return std::move(found_);
  }

  std::string NameOf(const Instance& instance, const std::string& item) const {
    return is_single_ ? item : instance.Id() + "." + item;
  }

 private:
  /// Records which names were chosen, and which of them were not found.
  class Choice {
   public:
    explicit Choice(const Chosen& chosen) {
      if (chosen && !(chosen->size() == 1 && chosen->front() == "none")) {
        missing_.insert(chosen->begin(), chosen->end());
      }
    }
    bool Takes(const std::string& name) {
      Know(name);
      return missing_.erase(name) > 0;
    }
    void Know(const std::string& name) { known_.push_back(name); }
    void RequireAllFound(const char* kind) const {
      if (missing_.empty()) return;
      throw ArgumentError({}, fmt::format("expected an {} of the model, found '{}'", kind, *missing_.begin()),
                          Suggest(*missing_.begin(), known_));
    }

   private:
    std::set<std::string> missing_;
    std::vector<std::string> known_;
  };

  void Refuse(const Instance& instance, const IBaseExchangeItem& item, bool is_wanted, const std::string& found) {
    const Where where{.component = instance.Id(), .item = item.Id()};
    const std::string problem = "expected an item of numbers with times, found " + found;
    if (is_wanted) throw ArgumentError(where, problem, "choose another, or let an adaptor make numbers of it");
    AddWarning(problems_, where, problem, "it is left out: let an adaptor make numbers of it");
  }

  bool Describe(const Instance& instance, const ITimeSpaceExchangeItem* item, const IBaseExchangeItem& base,
                bool is_wanted, ExportedVariable& variable) {
    const IValueDefinition& definition = base.ValueDefinition();
    const auto type = TypeOf(definition.ValueType().kind);
    if (item == nullptr || !type) {
      Refuse(instance, base, is_wanted,
             item == nullptr ? "one without times" : std::string("values of type ") + definition.ValueType().Name());
      return false;
    }
    variable.name = NameOf(instance, base.Id());
    variable.description = base.Description().empty() ? base.Caption() : base.Description();
    variable.component = instance.Id();
    variable.item = base.Id();
    variable.type = *type;
    variable.missing = definition.MissingDataValue().Number().value_or(kNotANumber);
    if (const auto* quantity = dynamic_cast<const IQuantity*>(&definition)) TakeUnit(quantity->Unit(), variable);
    const ISpatialDefinition* where = item->SpatialDefinition();
    const int elements = where != nullptr ? where->ElementCount() : 1;
    if (elements < 1) {
      Refuse(instance, base, is_wanted, "one without elements");
      return false;
    }
    variable.count = static_cast<std::uint32_t>(elements);
    variable.is_array = elements > 1;
    if (const auto* set = dynamic_cast<const IElementSet*>(where)) {
      for (int i = 0; i < elements; ++i) {
        const IIdentifiable* id = set->GetElementId(i);
        variable.elements.push_back(id != nullptr ? id->Id() : "");
      }
    }
    return true;
  }

  bool WillBeInput(const Instance& instance, const std::string& id, const Chosen& inputs) const {
    const auto all = instance.Component().Inputs();
    const auto found = std::ranges::find_if(all, [&](const IBaseInput* input) { return input->Id() == id; });
    if (found == all.end() || (*found)->Provider() != nullptr) return false;
    return !inputs || std::ranges::find(*inputs, NameOf(instance, id)) != inputs->end();
  }

  /// Why an argument cannot be a parameter; empty if it can.
  std::string Refusal(const Instance& instance, const IArgument& argument, const LoadedComponent& fresh) const {
    const std::string id = argument.Id();
    if (id == "start-time" || id == "end-time") return "one that follows the start and stop time of the FMU";
    if (id == kResultsFolder) return "one that follows where the FMU runs";
    if (IsSecret(argument)) return "a secret";
    if (const OmiArgument* given = instance.omi.Argument(id); given != nullptr && given->read_only) {
      return "one that the OMI file fixes";
    }
    if (fresh.component != nullptr) {
      for (const IArgument* one : fresh.component->Arguments()) {
        if (one->Id() == id && one->IsReadOnly()) return "one that is read-only";
      }
    }
    const ValueKind kind = argument.ValueType().kind;
    if (kind == ValueKind::String) {
      const auto file = PackedModel::FileOf(composition_.File(), instance.omi, argument.ValueAsString());
      return file.empty() ? "" : "one that names a file";
    }
    if (!TypeOf(kind)) return "one of type " + argument.ValueType().Name();
    return argument.Value().Number() ? "" : "one without a value";
  }

  /// The effective text of an argument: the step of a model replaces a default `time-step`.
  static std::string TextInForce(const Instance& instance, const IArgument& argument) {
    const auto* item = dynamic_cast<const ArgumentItem*>(&argument);
    const bool is_open = argument.Id() == "time-step" && item != nullptr && !item->IsSet();
    const double seconds = is_open ? StepSeconds(instance.Component()) : 0.0;
    return seconds > 0.0 ? FormatIsoDuration(Seconds(seconds)) : argument.ValueAsString();
  }

  void AddParameter(const Instance& instance, const IArgument& argument, const std::string& name) {
    ExportedVariable variable;
    variable.name = name;
    variable.description = argument.Description().empty() ? argument.Caption() : argument.Description();
    variable.component = instance.Id();
    variable.item = argument.Id();
    variable.role = VariableRole::Parameter;
    variable.type = TypeOf(argument.ValueType().kind).value_or(VariableType::String);
    if (variable.type == VariableType::String) {
      variable.start_text = TextInForce(instance, argument);
    } else {
      variable.start = argument.Value().Number().value_or(0.0);
    }
    found_.variables.push_back(std::move(variable));
  }

  Composition& composition_;
  bool is_single_;
  Problems& problems_;
  ExportInterface found_;
};

}  // namespace

std::optional<VariableType> TypeOf(ValueKind kind) {
  if (kind == ValueKind::Double) return VariableType::Float64;
  if (kind == ValueKind::Integer) return VariableType::Int64;
  return kind == ValueKind::Boolean ? std::optional(VariableType::Boolean) : std::nullopt;
}

double PreferredStep(Composition& composition) {
  double shortest = 0.0;
  for (const std::size_t trigger : composition.Triggers()) {
    const double seconds = StepSeconds(composition.Instances()[trigger].Component());
    if (seconds > 0.0 && (shortest == 0.0 || seconds < shortest)) shortest = seconds;
  }
  return shortest;
}

void TakeUnit(const IUnit& unit, ExportedVariable& variable) {
  variable.unit = unit.Caption();
  variable.has_base = unit.Dimension().GetPower(DimensionBase::Currency) == 0.0;
  for (std::size_t i = 0; i < variable.exponents.size(); ++i) {
    const double power = unit.Dimension().GetPower(described::kExponentBases[i]);
    variable.has_base = variable.has_base && power == std::round(power) && std::abs(power) < 1000.0;
    variable.exponents[i] = variable.has_base ? static_cast<std::int32_t>(power) : 0;
  }
  variable.factor = unit.ConversionFactorToSI();
  variable.offset = unit.OffSetToSI();
  if (variable.unit.empty() && variable.has_base) variable.unit = "1";
}

ExportInterface CollectInterface(Composition& composition, const ExportOptions& options, bool is_single,
                                 Problems& problems) {
  Collector collector(composition, is_single, problems);
  collector.AddParameters(options.parameters, options.inputs);
  collector.AddInputs(options.inputs);
  collector.AddOutputs(options.outputs);
  ExportInterface interface = collector.Take();
  const CompositionFile& file = composition.File();
  interface.model_name = file.caption.empty() ? file.id : file.caption;
  interface.description = file.description;
  interface.from = *file.run->from;
  interface.stop_seconds = std::round(ToSeconds(*file.run->to - *file.run->from) * 1e6) * 1e-6;
  interface.step_seconds = PreferredStep(composition);
  interface.keeps_state = std::ranges::all_of(
      composition.Instances(), [](const Instance& instance) { return KeepsState(instance.Component()); });
  return interface;
}

}  // namespace openmi::exported
