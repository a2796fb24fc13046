#include <nlohmann/json.hpp>
#include <utility>

#include "fmi-bridge/common/description/PutJson.hpp"
#include "fmi-bridge/fmi/InspectFmu.hpp"

namespace openmi::fmi {

namespace {

using Json = nlohmann::ordered_json;
using described::Put;

/// The capabilities of an interface; only those that are set are written.
constexpr std::pair<const char*, bool Interface::*> kFlags[] = {
    {"needsExecutionTool", &Interface::needs_execution_tool},
    {"canBeInstantiatedOnlyOncePerProcess", &Interface::only_once_per_process},
    {"canGetAndSetState", &Interface::can_get_and_set_state},
    {"canSerializeState", &Interface::can_serialize_state},
    {"providesDirectionalDerivatives", &Interface::provides_directional_derivatives},
    {"providesAdjointDerivatives", &Interface::provides_adjoint_derivatives},
    {"canHandleVariableCommunicationStepSize", &Interface::can_handle_variable_step},
    {"canInterpolateInputs", &Interface::can_interpolate_inputs},
    {"providesIntermediateUpdate", &Interface::provides_intermediate_update},
    {"mightReturnEarlyFromDoStep", &Interface::might_return_early},
    {"hasEventMode", &Interface::has_event_mode}};

/// The texts of a description; only those that are not empty are written.
constexpr std::pair<const char*, std::string ModelDescription::*> kTexts[] = {
    {"description", &ModelDescription::description},
    {"author", &ModelDescription::author},
    {"version", &ModelDescription::model_version},
    {"copyright", &ModelDescription::copyright},
    {"license", &ModelDescription::license},
    {"generationTool", &ModelDescription::generation_tool},
    {"generationDateAndTime", &ModelDescription::generation_time}};

Json ToJson(const Interface& one) {
  Json json{{"modelIdentifier", one.model_identifier}};
  for (const auto& [key, flag] : kFlags) {
    if (one.*flag) json[key] = true;
  }
  if (one.max_output_derivative_order > 0) json["maxOutputDerivativeOrder"] = one.max_output_derivative_order;
  Put(json, "fixedInternalStepSize", one.fixed_internal_step);
  return json;
}

Json StartOf(const ModelDescription& description, const Variable& variable) {
  Json values = Json::array();
  if (IsFloat(variable.type)) {
    for (const double value : description.Floats(variable)) values.push_back(value);
  } else if (variable.type == VariableType::String || variable.type == VariableType::Binary) {
    for (const std::string& value : description.Texts(variable)) values.push_back(value);
  } else {
    for (const std::int64_t value : description.Integers(variable)) {
      if (variable.type == VariableType::Boolean) {
        values.push_back(value != 0);
      } else if (variable.type == VariableType::UInt64) {
        values.push_back(static_cast<std::uint64_t>(value));
      } else {
        values.push_back(value);
      }
    }
  }
  return values.size() == 1 ? values[0] : values;
}

Json ToJson(const ModelDescription& description, const Variable& variable) {
  Json json{{"name", variable.name},
            {"type", Name(variable.type, description.version)},
            {"valueReference", variable.value_reference},
            {"causality", Name(variable.causality)},
            {"variability", Name(variable.variability)}};
  if (variable.initial != Initial::None) json["initial"] = Name(variable.initial);
  if (const UnitDefinition* unit = description.UnitOf(variable)) json["unit"] = unit->name;
  if (variable.HasStart()) json["start"] = StartOf(description, variable);
  Put(json, "min", variable.attributes.limits.minimum);
  Put(json, "max", variable.attributes.limits.maximum);
  if (const TypeDefinition* type = description.TypeOf(variable)) json["declaredType"] = type->name;
  for (const ArrayDimension& dimension : variable.dimensions) json["dimensions"].push_back(dimension.size);
  if (variable.derivative_of != kNowhere) {
    json["derivativeOf"] = description.variables[static_cast<std::size_t>(variable.derivative_of)].name;
  }
  for (const AliasName& alias : variable.aliases) json["aliases"].push_back(alias.name);
  Put(json, "description", variable.description);
  json["line"] = variable.line;
  return json;
}

}  // namespace

std::string FmuJson(const FmuInspection& inspection) {
  const ModelDescription& description = inspection.description;
  Json json{{"fmiVersion", description.version_text}, {"modelName", description.model_name}};
  json[description.version == FmiMajor::Fmi3 ? "instantiationToken" : "guid"] = description.token;
  for (const auto& [key, text] : kTexts) Put(json, key, description.*text);
  for (std::size_t i = 0; i < kInterfaceKindCount; ++i) {
    if (description.interfaces[i]) {
      json["interfaces"][Name(static_cast<InterfaceKind>(i))] = ToJson(*description.interfaces[i]);
    }
  }
  json["platforms"] = inspection.platforms;
  json["hasSources"] = inspection.has_sources;
  json["hasDocumentation"] = inspection.has_documentation;
  json["hasResources"] = inspection.has_resources;
  Json& experiment = json["defaultExperiment"] = Json::object();
  Put(experiment, "startTime", description.experiment.start);
  Put(experiment, "stopTime", description.experiment.stop);
  Put(experiment, "tolerance", description.experiment.tolerance);
  Put(experiment, "stepSize", description.experiment.step);
  json["continuousStates"] = description.continuous_states;
  json["eventIndicators"] = description.event_indicators;
  json["units"] = Json::array();
  for (const UnitDefinition& unit : description.units) {
    Json one{{"name", unit.name}};
    if (unit.has_base) {
      one["exponents"] = unit.exponents;
      one["factor"] = unit.factor;
      one["offset"] = unit.offset;
    }
    json["units"].push_back(std::move(one));
  }
  json["types"] = Json::array();
  for (const TypeDefinition& type : description.types) {
    Json one{{"name", type.name}, {"type", Name(type.type, description.version)}};
    for (const EnumerationItem& item : type.items) one["items"].push_back({{"name", item.name}, {"value", item.value}});
    json["types"].push_back(std::move(one));
  }
  json["variables"] = Json::array();
  for (const Variable& variable : description.variables) json["variables"].push_back(ToJson(description, variable));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace openmi::fmi
