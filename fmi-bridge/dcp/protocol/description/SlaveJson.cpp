#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fmi-bridge/common/description/PutJson.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

namespace {

using Json = nlohmann::ordered_json;
using described::Put;

Json ToJson(const StepRange& steps) {
  Json json{{"defaultSteps", steps.standard}, {"fixedSteps", steps.is_fixed}};
  Put(json, "minSteps", steps.fewest);
  Put(json, "maxSteps", steps.most);
  return json;
}

Json ToJson(const Ipv4& ip) {
  Json json{{"maxPduSize", ip.max_pdu_size}};
  Put(json, "host", ip.control_host);
  Put(json, "port", ip.control_port);
  const auto ports = [&json](const char* key, const std::optional<DataPorts>& data) {
    if (!data) return;
    Json ranges = Json::array();
    for (const PortRange& range : data->ranges) ranges.push_back({range.from, range.to});
    json[key] = {{"host", data->host}, {"ports", ranges}};
  };
  ports("data", ip.data);
  ports("parameters", ip.parameters);
  return json;
}

Json ToJson(const SlaveDescription& description, const std::optional<std::vector<Dependency>>& list) {
  Json json = Json::array();
  for (const Dependency& one : *list) {
    json.push_back({{"name", description.At(one.variable).name}, {"kind", one.is_linear ? "linear" : "dependent"}});
  }
  return json;
}

Json ToJson(const SlaveDescription& description, const Variable& variable) {
  Json json{{"name", variable.name},
            {"valueReference", variable.value_reference},
            {"kind", Name(variable.kind)},
            {"type", ElementName(variable.Type())},
            {"variability", Name(variable.variability)}};
  Put(json, "description", variable.description);
  if (const UnitDefinition* unit = description.UnitOf(variable)) json["unit"] = unit->name;
  Put(json, "quantity", variable.attributes.quantity);
  if (variable.start.is_given) json["start"] = StartText(variable);
  Put(json, "min", variable.attributes.limits.minimum);
  Put(json, "max", variable.attributes.limits.maximum);
  Put(json, "maxSize", variable.attributes.max_size);
  Put(json, "preEdge", variable.pre_edge);
  Put(json, "postEdge", variable.post_edge);
  Put(json, "maxConsecMissedPdus", variable.max_consecutive_missed_pdus);
  for (const Dimension& one : variable.dimensions) {
    if (one.variable == kNowhere) {
      json["dimensions"].push_back(one.size);
    } else {
      json["dimensions"].push_back(description.At(one.variable).name);
    }
  }
  if (variable.kind == VariableKind::Output) {
    json["steps"] = ToJson(variable.steps);
    if (variable.is_constant) json["initialization"] = true;
    if (variable.dependencies.initialization) {
      json["dependsInitially"] = ToJson(description, variable.dependencies.initialization);
    }
    if (variable.dependencies.run) json["depends"] = ToJson(description, variable.dependencies.run);
  }
  return json;
}

}  // namespace

std::string StartText(const Variable& variable) {
  const StartValues& start = variable.start;
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  if (variable.Type() == DataType::binary) {
    for (const char c : start.text) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
  }
  if (variable.Type() == DataType::string) return start.text;
  for (const double value : start.floats) {
    add(variable.Type() == DataType::float32 ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value));
  }
  for (const std::int64_t value : start.integers) add(IntegerText(variable.Type(), value));
  return text;
}

std::string SlaveJson(const SlaveDescription& description) {
  Json json{{"dcpSlaveName", description.name},
            {"uuid", ToText(description.uuid)},
            {"dcpVersion", fmt::format("{}.{}", description.major_version, description.minor_version)}};
  Put(json, "description", description.description);
  Put(json, "version", description.version);
  Put(json, "author", description.author);
  Put(json, "copyright", description.copyright);
  Put(json, "license", description.license);
  Put(json, "generationTool", description.generation_tool);
  Put(json, "generationDateAndTime", description.generation_time);
  Json& modes = json["modes"] = Json::object();
  if (description.hard_real_time) modes["HRT"] = Json::object();
  if (description.soft_real_time) modes["SRT"] = Json::object();
  if (description.non_real_time) modes["NRT"] = ToJson(*description.non_real_time);
  Json& resolutions = json["timeResolutions"] = Json::array();
  for (const Resolution& one : description.resolutions) {
    Json entry{{"numerator", one.numerator}, {"denominator", one.denominator}, {"fixed", one.is_fixed}};
    Put(entry, "recommended", one.is_recommended);
    resolutions.push_back(entry);
  }
  for (const ResolutionRange& range : description.resolution_ranges) {
    resolutions.push_back({{"numeratorFrom", range.numerator_from},
                           {"numeratorTo", range.numerator_to},
                           {"denominator", range.denominator}});
  }
  if (description.heartbeat) json["heartbeatSeconds"] = description.heartbeat->Seconds();
  const Transports& transports = description.transports;
  Json& list = json["transports"] = Json::object();
  if (transports.udp) list["UDP_IPv4"] = ToJson(*transports.udp);
  if (transports.tcp) list["TCP_IPv4"] = ToJson(*transports.tcp);
  if (transports.can) list["CAN"] = Json::object();
  if (transports.usb2) list["USB2"] = {{"maxPduSize", transports.usb2->max_pdu_size}};
  if (transports.bluetooth) list["Bluetooth"] = {{"maxPduSize", transports.bluetooth->max_pdu_size}};
  for (const auto& [name, flag] : kCapabilityFlags) json["capabilities"][name] = description.capabilities.*flag;
  Json& variables = json["variables"] = Json::array();
  for (const Variable& variable : description.variables) variables.push_back(ToJson(description, variable));
  if (description.log) {
    Json& templates = json["logTemplates"] = Json::array();
    for (const LogTemplate& one : description.log->templates) {
      templates.push_back(
          {{"id", one.id}, {"category", one.category}, {"level", static_cast<int>(one.level)}, {"msg", one.message}});
    }
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace openmi::dcp
