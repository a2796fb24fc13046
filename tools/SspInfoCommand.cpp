#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct SspInfoArguments {
  std::string file;
  std::string description, within;
  bool json = false;
};

Json ToJson(const ssp::Element& element) {
  Json json;
  json["name"] = element.name;
  using Kind = ssp::Element::Kind;
  json["kind"] = element.kind == Kind::System      ? "system"
                 : element.kind == Kind::Component ? "component"
                 : element.kind == Kind::Function  ? "function"
                                                   : "dictionary";
  if (element.kind == Kind::Component) {
    json["source"] = element.source;
    json["implementation"] = element.implementation;
  }
  if (element.step) json["step"] = *element.step;
  Json connectors = Json::array();
  for (const ssp::Connector& one : element.connectors) {
    Json connector = {{"name", one.name}, {"kind", one.kind}};
    if (!one.unit.empty()) connector["unit"] = one.unit;
    connectors.push_back(std::move(connector));
  }
  json["connectors"] = std::move(connectors);
  Json parameters = Json::array();
  for (const ssp::ParameterValue& one : element.parameters) {
    Json parameter = {{"name", one.name}, {"value", one.value}};
    if (!one.unit.empty()) parameter["unit"] = one.unit;
    if (one.factor != 1.0) parameter["factor"] = one.factor;  // of a mapping, after the conversion of units
    if (one.offset != 0.0) parameter["offset"] = one.offset;
    parameters.push_back(std::move(parameter));
  }
  if (!parameters.empty()) json["parameters"] = std::move(parameters);
  if (element.kind != Kind::System) return json;
  json["connections"] = element.connections.size();
  Json elements = Json::array();
  for (const ssp::Element& one : element.elements) elements.push_back(ToJson(one));
  json["elements"] = std::move(elements);
  return json;
}

void Print(const Json& element, int depth) {
  std::string text = fmt::format("{:{}}{} {}", "", 2 * depth, element.at("kind").get<std::string>(),
                                 element.at("name").get<std::string>());
  if (element.contains("source")) text += ": " + element.at("source").get<std::string>();
  if (element.value("implementation", "any") != "any") text += ", " + element.at("implementation").get<std::string>();
  for (const char* kind : {"input", "output", "parameter"}) {
    const auto is_one = [&](const Json& connector) { return connector.at("kind") == kind; };
    const auto count = std::ranges::count_if(element.at("connectors"), is_one);
    if (count > 0) text += fmt::format(", {}s: {}", kind, count);
  }
  if (element.contains("connections")) text += fmt::format(", connections: {}", element.at("connections").dump());
  if (element.contains("parameters")) text += fmt::format(", values: {}", element.at("parameters").size());
  if (element.contains("step")) text += fmt::format(", step: {} s", element.at("step").dump());
  PrintLine(stdout, PrintableText(text));
  for (const Json& inner : element.value("elements", Json::array())) Print(inner, depth + 1);
}

int Execute(const SspInfoArguments& arguments) {
  ExpectFile(arguments.file);
  ExpectNoFmu(arguments.file, "a system structure");
  Problems problems;
  const ssp::ReadPackage read =
      ssp::ReadSystemStructure(arguments.file, arguments.description, arguments.within, problems);
  const ssp::Structure& structure = read.structure;
  Json json;
  json["name"] = structure.name;
  json["version"] = structure.version;
  if (structure.start) json["startTime"] = *structure.start;
  if (structure.stop) json["stopTime"] = *structure.stop;
  if (structure.step) json["step"] = *structure.step;
  json["system"] = ToJson(structure.system);
  if (arguments.json) {
    PrintLine(stdout, json.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    PrintLine(stdout,
              PrintableText(fmt::format("{}  {}{}", structure.name, structure.version.starts_with("OSP") ? "" : "SSP ",
                                        structure.version)));
    std::string experiment;
    for (const char* key : {"startTime", "stopTime", "step"}) {
      if (json.contains(key)) {
        experiment += fmt::format("{}{} {} s", experiment.empty() ? "" : ", ", key, json.at(key).dump());
      }
    }
    if (!experiment.empty()) PrintLine(stdout, "  default experiment: " + experiment);
    Print(json.at("system"), 1);
  }
  PrintProblems(stderr, problems);
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddSspInfo(CLI::App& ssp, Invocation& invocation) {
  auto arguments = std::make_shared<SspInfoArguments>();
  CLI::App* info = ssp.add_subcommand("info", "Print the elements of a system structure");
  info->add_option("FILE", arguments->file, "Package (.ssp), description (.ssd) or OspSystemStructure.xml")->required();
  AddValue(*info, "--ssd", arguments->description, "NAME",
           "Description to use from the package (default: SystemStructure.ssd)");
  AddValue(*info, "--within", arguments->within, "DIR",
           "Folder that sources of a .ssd may lead to (default: that of the .ssd)");
  info->add_flag("--json", arguments->json, "Print JSON");
  info->footer("Examples:\n  openmi ssp info plant.ssp\n  openmi ssp info plant.ssp --json | jq .system.elements");
  info->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
