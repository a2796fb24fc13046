#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "composition/check/ChildAnswer.hpp"
#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;
using osmp::BinaryVariable;
using osmp::OsmpModel;
using osmp::Rule;
using osmp::RuleWeight;

struct OsmpInfoArguments {
  std::string file;
  bool rules = false;
  bool json = false;
  bool in_child = false;
};

const char* Verdict(const OsmpModel& model, const Rule& rule) {
  if (rule.weight == RuleWeight::Runs) return "while it runs";
  return model.Breaks(rule.id) ? "broken" : "kept";
}

const char* Encoding(const BinaryVariable& variable) {
  return variable.is_triple ? "three integers" : "binary";
}

std::string RolesOf(const OsmpModel& model) {
  std::string roles;
  for (const osmp::ModelRole role : model.roles) roles += fmt::format("{}{}", roles.empty() ? "" : ", ", Name(role));
  if (!roles.empty()) return roles;
  const auto messages_of = [&model](fmi::Causality causality) {
    std::string messages;
    for (const BinaryVariable& one : model.variables) {
      if (one.causality != causality || one.message.empty()) continue;
      messages += fmt::format("{}{}", messages.empty() ? "" : ", ", PrintableText(one.message));
    }
    return messages.empty() ? "nothing" : messages;
  };
  return fmt::format("none that the packaging names: takes {}, gives {}", messages_of(fmi::Causality::Input),
                     messages_of(fmi::Causality::Output));
}

Json ModelJson(const fmi::ModelDescription& description, const OsmpModel& model) {
  Json json = {{"modelName", description.model_name},
               {"fmiVersion", description.version_text},
               {"osmpVersion", model.version},
               {"osiVersion", model.osi_version}};
  json["roles"] = Json::array();
  for (const osmp::ModelRole role : model.roles) json["roles"].push_back(Name(role));
  json["variables"] = Json::array();
  for (const BinaryVariable& one : model.variables) {
    json["variables"].push_back({{"name", one.name},
                                 {"causality", Name(one.causality)},
                                 {"variability", Name(one.variability)},
                                 {"message", one.message},
                                 {"osiVersion", one.osi_version},
                                 {"mimeType", one.mime_type},
                                 {"encoding", Encoding(one)},
                                 {"usable", one.is_whole}});
  }
  json["rules"] = Json::array();
  for (const Rule& rule : osmp::Rules()) {
    json["rules"].push_back({{"number", rule.Number()}, {"rule", rule.text}, {"verdict", Verdict(model, rule)}});
  }
  return json;
}

void Print(const fmi::ModelDescription& description, const OsmpModel& model, bool all_rules) {
  PrintLine(stdout,
            fmt::format("{}  FMI {}, OSMP {}, OSI {}", PrintableText(description.model_name), description.version_text,
                        PrintableText(model.version.empty() ? "of no version" : model.version),
                        PrintableText(model.osi_version.empty() ? "of no version" : model.osi_version)));
  PrintLine(stdout, "  role: " + RolesOf(model));
  if (description.experiment.step) PrintLine(stdout, fmt::format("  step: {} s", *description.experiment.step));
  PrintLine(stdout, "");
  std::vector<std::array<std::string, 5>> rows = {{"name", "causality", "message", "OSI", "encoding"}};
  for (const BinaryVariable& one : model.variables) {
    rows.push_back({PrintableText(one.name), Name(one.causality),
                    PrintableText(one.message.empty() ? one.mime_type : one.message), PrintableText(one.osi_version),
                    Encoding(one)});
  }
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    PrintLine(stdout, line + row.back());
  }
  int kept = 0;
  int broken = 0;
  int running = 0;
  for (const Rule& rule : osmp::Rules()) {
    ++(rule.weight == RuleWeight::Runs ? running : model.Breaks(rule.id) ? broken : kept);
  }
  PrintLine(stdout, "");
  PrintLine(stdout,
            fmt::format("rules: {} kept, {} broken, {} that can be checked only while it runs", kept, broken, running));
  if (!all_rules) return;
  for (const Rule& rule : osmp::Rules()) {
    PrintLine(stdout, fmt::format("  {:>2}  {:<13}  {}", rule.Number(), Verdict(model, rule), rule.text));
  }
}

/// Answers openmi fmu check with the rules that are broken.
int ExecuteInChild(const OsmpInfoArguments& arguments) {
  AnswerStream answer;
  Problems ignored;  // which fmu check finds itself
  const fmi::ModelDescription description = fmi::InspectFmu(arguments.file, ignored).description;
  answer.Finish(ToJson(ProblemsOf(osmp::ReadOsmpModel(description), description.file)));
}

int Execute(const OsmpInfoArguments& arguments) {
  ExpectFile(arguments.file);
  Problems problems;
  const fmi::ModelDescription description = fmi::InspectFmu(arguments.file, problems).description;
  const OsmpModel model = osmp::ReadOsmpModel(description);
  if (!model.is_osmp) {
    AddError(problems, {.file = description.file}, "expected annotations of OSMP (net.pmsf.osmp), found none",
             "this is an FMU of another kind: openmi fmu info");
  }
  const Problems breaches = ProblemsOf(model, description.file);
  problems.insert(problems.end(), breaches.begin(), breaches.end());
  if (arguments.json) {
    Json json = ModelJson(description, model);
    json["problems"] = ToJson(problems);
    PrintLine(stdout, JsonText(json));
  } else {
    if (model.is_osmp) Print(description, model, arguments.rules);
    PrintProblems(stderr, problems);
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddOsmpInfo(CLI::App& osmp, Invocation& invocation) {
  auto arguments = std::make_shared<OsmpInfoArguments>();
  CLI::App* info = osmp.add_subcommand("info", "Describe an OSMP model: roles, messages, rules kept and broken");
  info->add_option("FILE", arguments->file, "FMU, or the folder of an unpacked one")->required();
  info->add_flag("--rules", arguments->rules, "List every rule with its verdict");
  info->add_flag("--json", arguments->json, "Print JSON");
  AddChildFlag(*info, arguments->in_child);
  info->footer(
      "No library is loaded.\n\n"
      "Examples:\n"
      "  openmi osmp info sensor.fmu\n"
      "  openmi osmp info sensor.fmu --rules");
  info->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
