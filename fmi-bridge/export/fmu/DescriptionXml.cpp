#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "fmi-bridge/export/fmu/ExportFmu.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/omi/XmlText.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::fmu {
namespace {

constexpr char kExponentNames[7][4] = {"kg", "m", "s", "A", "K", "mol", "cd"};

std::string Attribute(const char* name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, EscapeXml(value));
}

std::string Flag(const char* name, bool value) {
  return fmt::format(" {}=\"{}\"", name, value ? "true" : "false");
}

std::string Number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0.0 ? "INF" : "-INF";
  return fmt::format("{}", value);
}

/// Writes each unit once.
///
/// A description cannot hold two units with the same name; the second would lose its dimension, but names follow from
/// the units.
std::string Units(const exported::ExportInterface& interface) {
  std::map<std::string, const exported::ExportedVariable*> units;
  for (const exported::ExportedVariable& variable : interface.variables) {
    if (!variable.unit.empty()) units.emplace(variable.unit, &variable);
  }
  if (units.empty()) return {};
  std::string text = "  <UnitDefinitions>\n";
  for (const auto& [name, variable] : units) {
    text += "    <Unit" + Attribute("name", name);
    if (!variable->has_base) {
      text += "/>\n";
      continue;
    }
    text += "><BaseUnit";
    for (std::size_t i = 0; i < variable->exponents.size(); ++i) {
      if (variable->exponents[i] != 0) text += fmt::format(" {}=\"{}\"", kExponentNames[i], variable->exponents[i]);
    }
    if (variable->factor != 1.0) text += " factor=\"" + Number(variable->factor) + "\"";
    if (variable->offset != 0.0) text += " offset=\"" + Number(variable->offset) + "\"";
    text += "/></Unit>\n";
  }
  return text + "  </UnitDefinitions>\n";
}

std::string LogCategories() {
  std::string text = "  <LogCategories>\n";
  constexpr const char* kCategories[][2] = {{"logEvents", "Notes of the check and of the run"},
                                            {"logStatusWarning", "Warnings"},
                                            {"logStatusDiscard", "Calls without effect"},
                                            {"logStatusError", "Errors"},
                                            {"logStatusFatal", "Errors after which nothing goes on"}};
  for (const auto& [name, meaning] : kCategories) {
    text += fmt::format("    <Category name=\"{}\" description=\"{}\"/>\n", name, meaning);
  }
  return text + "  </LogCategories>\n";
}

std::string Experiment(const exported::ExportInterface& interface) {
  std::string text = "  <DefaultExperiment startTime=\"0\"";
  if (interface.stop_seconds > 0.0) text += " stopTime=\"" + Number(interface.stop_seconds) + "\"";
  if (interface.step_seconds > 0.0) text += " stepSize=\"" + Number(interface.step_seconds) + "\"";
  return text + "/>\n";
}

std::string Root(const exported::ExportInterface& interface, const char* version, const char* token_name,
                 const std::string& made) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription";
  text += Attribute("fmiVersion", version) + Attribute("modelName", interface.model_name) +
          Attribute(token_name, interface.token);
  if (!interface.description.empty()) text += Attribute("description", interface.description);
  return text + Attribute("generationTool", fmt::format("openmi {}", kSdkVersion)) +
         Attribute("generationDateAndTime", made) + Attribute("variableNamingConvention", "flat") + ">\n";
}

const char* Causality(exported::VariableRole role) {
  constexpr const char* kNames[] = {"independent", "parameter", "input", "output"};
  return kNames[static_cast<std::size_t>(role)];
}

const char* Variability(const exported::ExportedVariable& variable) {
  if (variable.role == exported::VariableRole::Parameter) return "fixed";
  return variable.type == exported::VariableType::Float64 ? "continuous" : "discrete";
}

std::string StartOf(const exported::ExportedVariable& variable) {
  if (variable.type == exported::VariableType::Boolean) return variable.start != 0.0 ? "true" : "false";
  if (variable.type == exported::VariableType::Int64)
    return fmt::format("{}", static_cast<std::int64_t>(variable.start));
  return Number(variable.start);
}

bool HasStart(const exported::ExportedVariable& variable) {
  return variable.role == exported::VariableRole::Input || variable.role == exported::VariableRole::Parameter;
}

std::string UnitOf(const exported::ExportedVariable& variable) {
  const bool shows = variable.type == exported::VariableType::Float64 && !variable.unit.empty();
  return shows ? Attribute("unit", variable.unit) : std::string();
}

}  // namespace

std::string DescriptionOfFmi2(const exported::ExportInterface& interface, const std::string& identifier,
                              const std::string& made) {
  std::string text = Root(interface, "2.0", "guid", made);
  text += "  <CoSimulation" + Attribute("modelIdentifier", identifier) + Flag("needsExecutionTool", false) +
          Flag("canHandleVariableCommunicationStepSize", true) + Flag("canInterpolateInputs", false) +
          Flag("canBeInstantiatedOnlyOncePerProcess", false) + Flag("canNotUseMemoryManagementFunctions", true) +
          Flag("canGetAndSetFMUstate", interface.keeps_state) + Flag("canSerializeFMUstate", interface.keeps_state) +
          "/>\n";
  text += Units(interface) + LogCategories() + Experiment(interface) + "  <ModelVariables>\n";
  constexpr const char* kTypes[] = {"Real", "Integer", "Boolean", "String"};
  std::size_t index = 0;
  std::string unknowns;
  for (const exported::ExportedVariable& variable : interface.variables) {
    if (variable.reference == exported::kNoReference) continue;
    for (std::uint32_t i = 0; i < variable.count; ++i) {
      ++index;
      std::string description = variable.description;
      if (i < variable.elements.size() && variable.is_array) description += " (" + variable.elements[i] + ")";
      const std::string name = variable.is_array ? fmt::format("{}[{}]", variable.name, i + 1) : variable.name;
      text += "    <ScalarVariable" + Attribute("name", name) +
              fmt::format(" valueReference=\"{}\"", variable.reference + i);
      if (!description.empty()) text += Attribute("description", description);
      text += Attribute("causality", Causality(variable.role)) + Attribute("variability", Variability(variable));
      if (variable.role == exported::VariableRole::Output) {
        text += Attribute("initial", "calculated");
        unknowns += fmt::format("      <Unknown index=\"{}\"/>\n", index);
      }
      text += std::string("><") + kTypes[static_cast<std::size_t>(variable.type)] + UnitOf(variable);
      if (variable.type == exported::VariableType::String && HasStart(variable)) {
        text += Attribute("start", variable.start_text);
      } else if (variable.type != exported::VariableType::String && HasStart(variable)) {
        text += Attribute("start", StartOf(variable));
      }
      text += "/></ScalarVariable>\n";
    }
  }
  text += "  </ModelVariables>\n  <ModelStructure";
  if (unknowns.empty()) return text + "/>\n</fmiModelDescription>\n";
  return text + ">\n    <Outputs>\n" + unknowns + "    </Outputs>\n    <InitialUnknowns>\n" + unknowns +
         "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string DescriptionOfFmi3(const exported::ExportInterface& interface, const std::string& identifier,
                              const std::string& made) {
  std::string text = Root(interface, "3.0", "instantiationToken", made);
  text += "  <CoSimulation" + Attribute("modelIdentifier", identifier) + Flag("needsExecutionTool", false) +
          Flag("canBeInstantiatedOnlyOncePerProcess", false) + Flag("canGetAndSetFMUState", interface.keeps_state) +
          Flag("canSerializeFMUState", interface.keeps_state) + Flag("canHandleVariableCommunicationStepSize", true) +
          "/>\n";
  text += Units(interface) + LogCategories() + Experiment(interface) + "  <ModelVariables>\n";
  constexpr const char* kTypes[] = {"Float64", "Int64", "Boolean", "String"};
  std::string outputs;
  std::string unknowns;
  for (const exported::ExportedVariable& variable : interface.variables) {
    if (variable.reference == exported::kNoReference) continue;
    const std::string type = kTypes[static_cast<std::size_t>(variable.type)];
    text +=
        "    <" + type + Attribute("name", variable.name) + fmt::format(" valueReference=\"{}\"", variable.reference);
    if (!variable.description.empty()) text += Attribute("description", variable.description);
    text += Attribute("causality", Causality(variable.role)) + Attribute("variability", Variability(variable));
    if (variable.role == exported::VariableRole::Output) {
      text += Attribute("initial", "calculated");
      outputs += fmt::format("    <Output valueReference=\"{}\"/>\n", variable.reference);
      unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", variable.reference);
    }
    text += UnitOf(variable);
    if (variable.type == exported::VariableType::String && HasStart(variable)) {
      text += "><Start" + Attribute("value", variable.start_text) + "/></String>\n";
      continue;
    }
    if (HasStart(variable)) text += Attribute("start", StartOf(variable));
    if (variable.is_array) {
      text += fmt::format("><Dimension start=\"{}\"/></{}>\n", variable.count, type);
    } else {
      text += "/>\n";
    }
  }
  text += "  </ModelVariables>\n  <ModelStructure";
  if (outputs.empty()) return text + "/>\n</fmiModelDescription>\n";
  return text + ">\n" + outputs + unknowns + "  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string DocumentationHtml(const exported::ExportInterface& interface, const std::vector<std::string>& external) {
  const auto cell = [](const std::string& text) { return "<td>" + EscapeXml(text) + "</td>"; };
  std::string text = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                     EscapeXml(interface.model_name) +
                     "</title><style>body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
                     "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2em .5em;text-align:left}"
                     "</style></head><body>\n<h1>" +
                     EscapeXml(interface.model_name) + "</h1>\n";
  if (!interface.description.empty()) text += "<p>" + EscapeXml(interface.description) + "</p>\n";
  if (!interface.HasForm()) {
    text += fmt::format(
        "<p>Second 0 is {}. The composition ends at second {}; an importer that gives a stop time may end elsewhere. "
        "An output without a value yet is not a number.</p>\n",
        FormatIsoTime(interface.from), interface.stop_seconds);
  }
  text +=
      "<p>Values of inputs hold from the communication point at which they are set. Each instance runs in a process of "
      "its own, started from the resources.</p>\n";
  if (!external.empty()) {
    text += "<p>Libraries that have to be installed:";
    for (const std::string& name : external) text += " " + EscapeXml(name);
    text += "</p>\n";
  }
  text += "<table><tr><th>Variable</th><th>Is</th><th>Unit</th><th>Start</th><th>Elements</th><th>Meaning</th></tr>\n";
  for (const exported::ExportedVariable& variable : interface.variables) {
    if (variable.reference == exported::kNoReference) continue;
    std::string elements = variable.is_array ? fmt::format("{}", variable.count) : "";
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; variable.is_array && i < std::min(variable.elements.size(), kShown); ++i) {
      elements += (i == 0 ? ": " : ", ") + variable.elements[i];
    }
    if (variable.is_array && variable.elements.size() > kShown) elements += ", ...";
    const std::string start = variable.type == exported::VariableType::String ? variable.start_text
                              : HasStart(variable)                            ? StartOf(variable)
                                                                              : std::string();
    text += "<tr>" + cell(variable.name) + cell(Causality(variable.role)) + cell(variable.unit) + cell(start) +
            cell(elements) + cell(variable.description) + "</tr>\n";
  }
  return text + "</table>\n</body></html>\n";
}

}  // namespace openmi::fmu
