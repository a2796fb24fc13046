#include "fmi-bridge/broker/fmu/RabbitMqFmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "fmi-bridge/broker/fmu/FmuParameters.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::broker {
namespace {

using exported::VariableRole;
using exported::VariableType;
using fmi::Causality;

std::optional<VariableType> TypeOf(const fmi::Variable& variable) {
  if (variable.IsArray()) return std::nullopt;
  switch (variable.type) {
    case fmi::VariableType::Float64:
      return VariableType::Float64;
    case fmi::VariableType::Int32:  // Integer in FMI 2.0
    case fmi::VariableType::Int64:
      return VariableType::Int64;
    case fmi::VariableType::Boolean:
      return VariableType::Boolean;
    case fmi::VariableType::String:
      return VariableType::String;
    default:
      return std::nullopt;
  }
}

std::optional<VariableRole> RoleOf(Causality causality) {
  switch (causality) {
    case Causality::Independent:
      return VariableRole::Time;
    case Causality::Parameter:
      return VariableRole::Parameter;
    case Causality::Input:
      return VariableRole::Input;
    case Causality::Output:
      return VariableRole::Output;
    default:
      return std::nullopt;
  }
}

bool IsHealth(const std::string& name) {
  return std::ranges::find(kHealthItems, name, &HealthItem::id) != kHealthItems.end();
}

/// The unit of a variable: that of the description where UDUNITS can read it, else "1".
std::string UnitTextOf(const fmi::ModelDescription& description, const fmi::Variable& variable) {
  const fmi::UnitDefinition* unit = description.UnitOf(variable);
  if (unit == nullptr) return "1";
  try {
    static_cast<void>(Unit::Parse(unit->name));
    return unit->name;
  } catch (const UnitError&) {
    return "1";
  }
}

}  // namespace

RabbitMqFmu::RabbitMqFmu() {
  SetDescription("messages of a broker, as the modelDescription.xml of a RabbitMQ FMU says");
  ArgumentList& list = ArgumentItems();
  description_path_ = list.Add<std::string>(
      "description", {.description = "modelDescription.xml with the outputs, inputs and parameters",
                      .meaning = ArgumentMeaning::Path});
  for (const FmuParameter& known : kFmuParameters) {
    const std::string id(known.name);
    const std::string description(known.description);
    if (known.type == VariableType::String) {
      list.AddText(id, {.description = description,
                        .meaning = known.argument == "password" ? ArgumentMeaning::Secret : ArgumentMeaning::Host});
    } else if (known.type == VariableType::Boolean) {
      list.Add<bool>(id, {.description = description, .optional = true});
    } else {
      const bool is_port = known.argument == "port";
      list.Add<std::int64_t>(id, {.description = description,
                                  .optional = true,
                                  .meaning = is_port ? ArgumentMeaning::Host : ArgumentMeaning::Plain});
    }
  }
}

void RabbitMqFmu::ReadDescription() {
  const std::string path = PathOf(description_path_.Value());
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw FileError({.file = path, .component = Caption(), .item = "description"},
                    "expected the modelDescription.xml of a RabbitMQ FMU, found no file that can be read",
                    "correct the path; of an FMU, unpack all of it");
  }
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Problems problems;
  description_ = fmi::ReadModelDescription(bytes, path, problems);
  // The model structure is for the importer: a user who adds an output by hand need not change it.
  const auto structure = std::min(bytes.find("<ModelStructure"), bytes.size());
  const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(structure), '\n');
  std::erase_if(problems, [line](const Problem& problem) { return problem.where.line >= line; });
  ThrowIfErrors(problems);
}

void RabbitMqFmu::TakeParameter(const fmi::Variable& variable) {
  ArgumentItem* argument = ArgumentItems().Find(variable.name);
  const Where where{.file = description_.file, .line = variable.line, .component = Caption(), .item = variable.name};
  if (argument == nullptr || variable.name == "description") {
    std::vector<std::string> names;
    for (const IArgument* one : ArgumentItems().Items()) names.push_back(one->Id());
    throw FormatError(where, "expected a parameter of the RabbitMQ FMU or an argument of a stream, found another",
                      Suggest(variable.name, names));
  }
  if (argument->IsSet() || !variable.HasStart()) return;
  switch (*TypeOf(variable)) {
    case VariableType::String:
      argument->SetValueAsString(description_.Texts(variable).front());
      break;
    case VariableType::Float64:
      argument->SetValueAsString(fmt::format("{}", description_.Floats(variable).front()));
      break;
    default:
      argument->SetValueAsString(fmt::format("{}", description_.Integers(variable).front()));
  }
}

void RabbitMqFmu::TakeVariable(const fmi::Variable& variable) {
  const auto role = RoleOf(variable.causality);
  if (!role || role == VariableRole::Time) return;
  const Where where{.file = description_.file, .line = variable.line, .component = Caption(), .item = variable.name};
  const auto type = TypeOf(variable);
  if (!type || (role == VariableRole::Input && type == VariableType::String)) {
    throw FormatError(where,
                      fmt::format("expected a scalar of a type that messages have ({}Real, Integer or Boolean; "
                                  "of FMI 3.0: Float64, Int64, Boolean), found another",
                                  role == VariableRole::Input ? "" : "String, "),
                      "change its type");
  }
  if (role == VariableRole::Parameter) {
    TakeParameter(variable);
    return;
  }
  if (role == VariableRole::Input && variable.name == kEnableSend) {
    has_gate_ = true;
    return;
  }
  if (role == VariableRole::Output && IsHealth(variable.name)) {
    ArgumentItems().Find("health")->Assign(true);
    return;
  }
  const bool is_output = role == VariableRole::Output;
  const std::vector<Field> given = is_output ? Stream::Fields() : Stream::Published();
  const auto known = std::ranges::find(given, variable.name, &Field::name);
  (is_output ? outputs_ : inputs_)
      .push_back({.source = known != given.end() ? known->source : variable.name,
                  .name = variable.name,
                  .type = std::ranges::find(kTypePairs, *type, &TypePair::variable)->field,
                  .unit = *type == VariableType::Float64 ? UnitTextOf(description_, variable) : "1"});
}

std::string RabbitMqFmu::DescribedValueOf(std::string_view parameter) const {
  const auto found = std::ranges::find(description_.variables, parameter, &fmi::Variable::name);
  if (found == description_.variables.end() || !found->HasStart()) return {};
  const auto type = TypeOf(*found);
  if (type == VariableType::String) return description_.Texts(*found).front();
  if (type == VariableType::Int64) return fmt::format("{}", description_.Integers(*found).front());
  return {};
}

std::string RabbitMqFmu::IdleValueOf(const FmuParameter& known) {
  const ArgumentItem& item = *ArgumentItems().Find(std::string(known.name));
  const std::string value = item.HasValue() ? item.ValueAsString() : std::string();
  return value == known.start ? std::string() : value;
}

bool RabbitMqFmu::OnValidate(std::vector<std::string>& messages) {
  for (const FmuParameter& known : kFmuParameters) {
    if (known.use != ParameterUse::Nothing) continue;
    if (const std::string value = IdleValueOf(known); !value.empty()) {
      messages.push_back(fmt::format("{}={} of {} does nothing here ({})", known.name, value, description_path_.Value(),
                                     known.description));
    }
  }
  return Stream::OnValidate(messages);
}

void RabbitMqFmu::TranslateParameters() {
  ArgumentList& list = ArgumentItems();
  for (const FmuParameter& known : kFmuParameters) {
    if (known.use == ParameterUse::Nothing) {
      const std::string value = IdleValueOf(known);
      if (value.empty() || value == DescribedValueOf(known.name)) continue;
      throw ArgumentError({.component = Caption(), .item = std::string(known.name)},
                          fmt::format("expected no value, because the parameter has no effect here, found '{}'; {}",
                                      value, known.description),
                          "leave it out");
    }
    const ArgumentItem& item = *list.Find(std::string(known.name));
    if (known.argument.empty() || !item.HasValue()) continue;
    ArgumentItem& argument = *list.Find(std::string(known.argument));
    try {
      if (known.type == VariableType::Int64 && argument.ValueType().kind == ValueKind::Double) {
        argument.Assign(Value(std::max(0.0, known.factor * item.Value().Number().value_or(0.0))));
      } else if (known.argument == "queue-bound") {
        // A number outside the limits of the argument is moved to the nearest limit, because other FMUs have no such
        // limits.
        const double least = argument.Minimum().Number().value_or(1.0);
        const double most = argument.Maximum().Number().value_or(least);
        argument.Assign(Value(static_cast<std::int64_t>(std::clamp(item.Value().Number().value_or(0.0), least, most))));
      } else {
        argument.Assign(item.Value());
      }
    } catch (const ArgumentError& error) {
      throw ArgumentError({.component = Caption(), .item = std::string(known.name)}, error.Problem(), error.Remedy());
    }
  }
  const ArgumentItem& precision = *list.Find("config.precision");
  if (precision.HasValue()) SetPrecision(static_cast<int>(precision.Value().Number().value_or(9.0)));
}

void RabbitMqFmu::Setup() {
  outputs_.clear();
  inputs_.clear();
  has_gate_ = false;
  ReadDescription();
  std::map<fmi::ValueReference, const fmi::Variable*> references;
  for (const fmi::Variable& variable : description_.variables) {
    const Where where{.file = description_.file, .line = variable.line, .component = Caption(), .item = variable.name};
    if (variable.value_reference > exported::kLargestReference) {
      throw FormatError(where,
                        fmt::format("expected a value reference up to {}, found {}", exported::kLargestReference,
                                    variable.value_reference),
                        "give it a smaller one");
    }
    const auto [other, is_new] = references.emplace(variable.value_reference, &variable);
    if (!is_new) {
      throw FormatError(where,
                        fmt::format("expected a value reference of its own, found {}, which {} has",
                                    variable.value_reference, other->second->name),
                        "give it another; variables of all types share the references");
    }
    TakeVariable(variable);
  }
  TranslateParameters();
  SetIsFmu();
  Stream::Setup();
  if (has_gate_) gate_ = AddInput(std::string(kEnableSend), "1", {.default_value = 1.0});
}

exported::FmuForm RabbitMqFmu::Form() {
  exported::FmuForm form;
  form.type = "openmi.broker.RabbitMqFmu";
  form.description_argument = "description";
  form.token = description_.token;
  for (const fmi::Variable& variable : description_.variables) {
    const auto role = RoleOf(variable.causality);
    const auto type = TypeOf(variable);
    if (!role || !type) continue;
    exported::ExportedVariable& one = form.variables.emplace_back();
    one.name = one.item = variable.name;
    one.role = *role;
    one.type = *type;
    one.reference = variable.value_reference;
    one.missing = kNotANumber;
    double start = one.type == VariableType::Float64 && one.role == VariableRole::Output ? kNotANumber : 0.0;
    if (variable.HasStart()) {
      if (one.type == VariableType::String) {
        one.start_text = description_.Texts(variable).front();
      } else {
        start = one.type == VariableType::Float64 ? description_.Floats(variable).front()
                                                  : static_cast<double>(description_.Integers(variable).front());
      }
    }
    one.start = one.start_missing = start;
  }
  return form;
}

}  // namespace openmi::broker
