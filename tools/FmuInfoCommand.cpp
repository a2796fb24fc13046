#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct FmuInfoArguments {
  std::string file;
  bool all = false;
  bool json = false;
};

// A value of the JSON as text; "-" if there is none.
std::string Cell(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "-";
  if (found->is_string()) return PrintableText(found->get<std::string>());
  std::string text = PrintableText(found->dump(-1, ' ', false, Json::error_handler_t::replace));
  if (text.size() > 40) text = fmt::format("{} values", found->size());
  return text;
}

/// "  terminal shaft (plug, Rotational): phi = angle (signal), tau = torque (inflow)", and those inside it.
void PrintTerminals(const Json& terminals, const std::string& around) {
  for (const Json& terminal : terminals) {
    const std::string name = around + Cell(terminal, "name");
    std::string line = fmt::format("  terminal {} ({}", name, Cell(terminal, "matchingRule"));
    if (terminal.contains("terminalKind")) line += ", " + Cell(terminal, "terminalKind");
    line += ")";
    const char* separator = ": ";
    for (const Json& member : terminal.at("members")) {
      line += std::exchange(separator, ", ");
      if (member.contains("name")) line += Cell(member, "name") + " = ";
      line += fmt::format("{} ({})", Cell(member, "variable"), Cell(member, "kind"));
    }
    PrintLine(stdout, line);
    PrintTerminals(terminal.value("terminals", Json::array()), name + ".");
  }
}

void PrintHead(const Json& fmu) {
  PrintLine(stdout, fmt::format("{}  FMI {}", Cell(fmu, "modelName"), Cell(fmu, "fmiVersion")));
  for (const char* key :
       {"description", "version", "author", "copyright", "license", "generationTool", "generationDateAndTime"}) {
    if (fmu.contains(key)) PrintLine(stdout, fmt::format("  {}: {}", key, Cell(fmu, key)));
  }
  const Json interfaces = fmu.value("interfaces", Json::object());
  for (const auto& [kind, one] : interfaces.items()) {
    std::string text = fmt::format("  {}: {}", kind, Cell(one, "modelIdentifier"));
    for (const auto& [key, value] : one.items()) {
      if (key == "modelIdentifier") continue;
      text += value.is_boolean() ? ", " + key : fmt::format(", {} {}", key, value.dump());
    }
    PrintLine(stdout, text);
  }
  std::string platforms;
  for (const Json& platform : fmu.at("platforms")) {
    platforms += (platforms.empty() ? "" : " ") + PrintableText(platform.get<std::string>());
  }
  if (fmu.at("hasSources").get<bool>()) platforms += platforms.empty() ? "sources only" : " and sources";
  PrintLine(stdout, "  platforms: " + (platforms.empty() ? std::string("none") : platforms));
  if (fmu.at("needsCompiling").get<bool>()) {
    PrintLine(stdout, "  to compile the sources: openmi fmu run --compile, or compile=true in the OMI file");
  }
  std::string experiment;
  for (const auto& [key, value] : fmu.at("defaultExperiment").items()) {
    experiment += fmt::format("{}{} {}", experiment.empty() ? "" : ", ", key, value.dump());
  }
  if (!experiment.empty()) PrintLine(stdout, "  default experiment: " + experiment);
  std::string categories;
  for (const Json& category : fmu.at("logCategories")) {
    categories += (categories.empty() ? "" : ", ") + Cell(category, "name");
  }
  if (!categories.empty()) PrintLine(stdout, "  log categories: " + categories);
  for (const Json& standard : fmu.at("layeredStandards")) {
    const std::string text = Cell(standard, "description");
    PrintLine(stdout, fmt::format("  layered standard: {} {}{}", Cell(standard, "name"), Cell(standard, "version"),
                                  text.empty() ? "" : fmt::format(" ({})", text)));
  }
  PrintTerminals(fmu.at("terminals"), "");
  if (fmu.contains("icon")) PrintLine(stdout, "  icon: " + Cell(fmu, "icon"));
  PrintLine(stdout,
            fmt::format("  continuous states: {}, event indicators: {}, variables: {}", Cell(fmu, "continuousStates"),
                        Cell(fmu, "eventIndicators"), fmu.at("variables").size()));
}

void PrintVariables(const Json& fmu, bool all) {
  std::vector<const Json*> shown;
  for (const Json& variable : fmu.at("variables")) {
    const std::string causality = variable.at("causality").get<std::string>();
    if (all || (causality != "local" && causality != "calculatedParameter")) shown.push_back(&variable);
  }
  if (shown.empty()) return;
  std::vector<std::array<std::string, 7>> rows = {
      {"name", "type", "causality", "variability", "unit", "start", "description"}};
  for (const Json* variable : shown) {
    std::string type = Cell(*variable, "type");
    for (const Json& size : variable->value("dimensions", Json::array())) type += fmt::format("[{}]", size.dump());
    rows.push_back({Cell(*variable, "name"), std::move(type), Cell(*variable, "causality"),
                    Cell(*variable, "variability"), Cell(*variable, "unit"), Cell(*variable, "start"),
                    variable->contains("description") ? Cell(*variable, "description") : ""});
  }
  std::array<std::size_t, 6> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::min(std::max(widths[i], row[i].size()), std::size_t{40});
    }
  }
  PrintLine(stdout, "");
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.resize(line.find_last_not_of(' ') + 1);
    PrintLine(stdout, line);
  }
}

int Execute(const FmuInfoArguments& arguments) {
  ExpectFile(arguments.file);
  Problems problems;
  Json fmu = Json::parse(fmi::FmuJson(fmi::InspectFmu(arguments.file, problems)));
  if (arguments.json) {
    fmu["problems"] = ToJson(problems);
    PrintLine(stdout, JsonText(fmu));
  } else {
    PrintHead(fmu);
    PrintVariables(fmu, arguments.all);
    PrintProblems(stderr, problems);
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddFmuInfo(CLI::App& fmu, Invocation& invocation) {
  auto arguments = std::make_shared<FmuInfoArguments>();
  CLI::App* info = fmu.add_subcommand("info", "Describe an FMU: version, interfaces, platforms, variables");
  info->add_option("FILE", arguments->file, "FMU, or the folder of an unpacked one")->required();
  info->add_flag("--all", arguments->all, "Show local variables and calculated parameters too");
  info->add_flag("--json", arguments->json, "Print JSON with the whole description");
  info->footer(
      "No library is loaded and nothing is unpacked.\n\n"
      "Examples:\n"
      "  openmi fmu info BouncingBall.fmu\n"
      "  openmi fmu info BouncingBall.fmu --json | jq '.variables[].name'");
  info->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
