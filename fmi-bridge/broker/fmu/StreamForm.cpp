#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "fmi-bridge/broker/fmu/FmuParameters.hpp"
#include "fmi-bridge/export/CollectInterface.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi::broker {
namespace {

using exported::ExportedVariable;
using exported::VariableRole;
using exported::VariableType;

/// Arguments that the items of the FMU, or its importer, define.
constexpr std::array<std::string_view, 10> kNoParameters = {
    "fields",    "publish", "start-time",  "end-time",     "time-step",
    "recording", "health",  "tls-ca-file", "publish-file", "results-folder"};
/// Arguments of the stream in the FMU: files, and the members of variables.
constexpr std::array<std::string_view, 4> kComeAlong = {"recording", "tls-ca-file", "fields", "publish"};
/// Files with a secret, or for one machine only.
constexpr std::array<std::string_view, 3> kStayHere = {"password-file", "tls-key-file", "journal"};

bool IsOneOf(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

void SetStart(ExportedVariable& variable, const ArgumentItem& argument, double factor = 1.0) {
  variable.start_text = argument.ValueAsString();
  const double value = argument.Value().Number().value_or(0.0) / factor;
  variable.start = variable.type == VariableType::Int64 ? std::ceil(value - 1e-9) : value;
}

ExportedVariable Known(const FmuParameter& known, const ArgumentList& arguments) {
  ExportedVariable variable;
  variable.name = known.name;
  variable.description = known.description;
  variable.role = VariableRole::Parameter;
  variable.type = known.type;
  variable.reference = known.reference;
  variable.start_text = known.start;
  const ArgumentItem* argument = known.argument.empty() ? nullptr : arguments.Find(std::string(known.argument));
  if (argument != nullptr && argument->IsSecret()) return variable;
  // A stream without an exchange uses an existing queue: the FMU does too.
  if (argument != nullptr && (argument->HasValue() || known.argument == "exchange")) {
    SetStart(variable, *argument, known.factor);
  } else if (known.type != VariableType::String) {
    variable.start = known.start == "true" ? 1.0 : std::strtod(std::string(known.start).c_str(), nullptr);
  }
  return variable;
}

ExportedVariable OfItem(const IBaseExchangeItem& item, VariableType type, VariableRole role, std::uint32_t reference) {
  ExportedVariable variable;
  variable.name = item.Id();
  variable.description = item.Description();
  variable.role = role;
  variable.type = type;
  variable.reference = reference;
  if (type != VariableType::Float64) variable.start_missing = 0.0;
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  if (quantity != nullptr && type == VariableType::Float64) exported::TakeUnit(quantity->Unit(), variable);
  return variable;
}

}  // namespace

exported::FmuForm FormOfStream(const ArgumentList& arguments, std::span<const Field> fields,
                               std::span<const Field> published, std::span<const IBaseExchangeItem* const> items,
                               double step_seconds) {
  exported::FmuForm form;
  form.type = "openmi.broker.RabbitMqFmu";
  form.description_argument = "description";
  form.time_reference = kTimeReference;
  form.step_seconds = step_seconds;
  form.text =
      "Messages of a RabbitMQ broker step by step. An output added to modelDescription.xml by hand is the "
      "member of that name; an input is published.";
  form.arguments = {{"time-step", "P36500D"}};
  for (const FmuParameter& known : kFmuParameters) form.variables.push_back(Known(known, arguments));
  std::uint32_t reference = kFirstOwnParameter;
  for (const IArgument* one : arguments.Items()) {
    const ArgumentItem& argument = *arguments.Find(one->Id());
    if (!argument.IsSet()) continue;
    const std::string id = argument.Id();
    const bool is_known = std::ranges::find(kFmuParameters, id, &FmuParameter::argument) != kFmuParameters.end();
    if (argument.IsSecret() || IsOneOf(kStayHere, id)) {
      AddNote(form.notes, {.item = id}, "neither secrets nor files that hold one are written into an FMU",
              argument.IsSecret() ? "set the parameter config.password, or the environment variable "
                                    "OPENMI_BROKER_PASSWORD"
                                  : fmt::format("set the parameter {} to the path on the importer's machine", id));
    }
    if (IsOneOf(kComeAlong, id)) form.arguments.emplace_back(id, argument.ValueAsString());
    if (is_known || IsOneOf(kNoParameters, id)) continue;
    ExportedVariable variable;
    variable.name = id;
    variable.description = argument.Description();
    variable.role = VariableRole::Parameter;
    variable.type = exported::TypeOf(argument.ValueType().kind).value_or(VariableType::String);
    variable.reference = reference++;
    if (!IsOneOf(kStayHere, id)) SetStart(variable, argument);
    form.variables.push_back(std::move(variable));
  }
  reference = kFirstItem;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool is_input = i + published.size() >= items.size();
    const Field* field = is_input            ? &published[i + published.size() - items.size()]
                         : i < fields.size() ? &fields[i]
                                             : nullptr;
    form.variables.push_back(OfItem(*items[i],
                                    field != nullptr
                                        ? std::ranges::find(kTypePairs, field->type, &TypePair::field)->variable
                                        : VariableType::Float64,
                                    is_input ? VariableRole::Input : VariableRole::Output, reference++));
  }
  return form;
}

}  // namespace openmi::broker
