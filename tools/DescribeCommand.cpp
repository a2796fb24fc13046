#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "composition/check/CheckComposition.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "composition/link/Composition.hpp"
#include "openmi/omi/CompliancyInfo.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Conform.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintDescription.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct DescribeArguments {
  std::string file;
  std::string component;
  std::vector<std::string> settings;
  std::string compliancy;
  std::string supplier;
  std::string version;
  bool is_static = false;
  bool json = false;
  std::string timeout = "60";
  VariableOptions variables;
  SystemStructureOptions system;
  bool in_child = false;
};

Json DescribeOmi(const DescribeArguments& arguments, Problems& problems) {
  Json json;
  DotnetAssembly::AllowHere();
  OmiFile omi = ReadOmiFile(arguments.file, &problems);
  if (HasErrors(problems)) return json;
  PutArguments(omi, arguments.settings);
  ComponentLoader loader;
  const LoadedComponent loaded = LoadOmi(loader, omi, &problems);
  if (!loaded.component) return json;
  // What a component declares without its data is worth showing, too.
  TryInitialize(*loaded.component, omi, problems);
  json = Json::parse(DescribeComponent(*loaded.component));
  json["file"] = arguments.file;
  json["type"] = omi.type;
  if (!omi.assembly.empty()) json["assembly"] = omi.assembly;
  return json;
}

Json DescribeMember(const DescribeArguments& arguments, Problems& problems) {
  Problems told;  // of a system structure: the parent reports them
  const AsComposition system(arguments.file, arguments.system, told);
  CompositionFile file = system.File(problems);
  std::erase_if(file.components, [&](const ComponentSpec& spec) { return spec.id != arguments.component; });
  file.links.clear();
  file.observes.clear();
  file.compares.clear();
  Composition composition(std::move(file), arguments.variables.Values());
  composition.Load(problems);
  if (composition.Instances().empty() || !composition.Instances().front().IsThere()) return {};
  Json json = Json::parse(DescribeComponent(composition.Instances().front().Component()));
  json["file"] = arguments.file;
  return json;
}

int ExecuteInChild(const DescribeArguments& arguments) {
  AnswerStream answer;
  Json json;
  Problems problems;
  try {
    json["description"] =
        arguments.component.empty() ? DescribeOmi(arguments, problems) : DescribeMember(arguments, problems);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  json["problems"] = ToJson(problems);
  answer.Finish(json);
}

Json Ask(const DescribeArguments& arguments, Problems& problems) {
  std::vector<std::string> argv = {"describe", arguments.file};
  if (!arguments.component.empty()) argv.push_back(arguments.component);
  for (const std::string& setting : arguments.settings) argv.push_back("--argument=" + setting);
  for (const std::string& one : arguments.variables.Arguments()) argv.push_back(one);
  for (const std::string& one : arguments.system.Arguments()) argv.push_back(one);
  const ChildAnswer answer = AskThisProgram(argv, ParseNumber(arguments.timeout, "--timeout"));
  if (!answer.IsThere()) {
    problems.push_back(DeathOf(answer, {.file = arguments.file}));
    return {};
  }
  problems = ProblemsFromJson(answer.value.at("problems"));
  return answer.value.value("description", Json());
}

Json AskStatic(const DescribeArguments& arguments, Problems& problems) {
  const OmiFile omi = ReadOmiFile(arguments.file, &problems);
  if (HasErrors(problems)) return {};
  try {
    return Json::parse(DescribeStatic(omi));
  } catch (const LoadError& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

void CheckArguments(const DescribeArguments& arguments, const AsComposition& system) {
  for (const std::string& setting : arguments.settings) (void)ParseSetting(setting, "--argument");
  const InputKind kind = KindOf(arguments.file);
  if (kind == InputKind::Omi && !arguments.component.empty())
    throw UsageFault{
        "expected an OMI file alone, or a composition and then one of its components; found an OMI file and a "
        "component"};
  if (arguments.is_static && !arguments.compliancy.empty())
    throw UsageFault{"expected --static or --compliancy, found both: items are known only from a loaded component"};
  if (kind == InputKind::Omi) return;
  Problems ignored;
  const CompositionFile file = system.File(ignored);
  std::vector<std::string> ids;
  for (const ComponentSpec& component : file.components) ids.push_back(component.id);
  if (arguments.is_static)
    throw UsageFault{"expected an OMI file with --static, found a composition; use check --static"};
  if (arguments.component.empty())
    throw UsageFault{
        "expected one of its components after the composition (openmi describe FILE COMPONENT), found none; " +
        Suggest("", ids)};
  if (file.Component(arguments.component) == nullptr) {
    throw UsageFault{fmt::format("expected a component of the composition, found '{}'; {}", arguments.component,
                                 Suggest(arguments.component, ids))};
  }
}

void WriteCompliancy(const DescribeArguments& arguments, const Json& description) {
  CompliancyInfo info = CompliancyOf(JsonText(description));
  info.supplier_name = arguments.supplier.empty() ? "unknown" : arguments.supplier;
  info.component_version = arguments.version.empty() ? "unknown" : arguments.version;
  if (arguments.supplier.empty() || arguments.version.empty())
    PrintLine(stderr,
              "the supplier or version is written as 'unknown'; set them with --supplier and --component-version");
  WriteOutput(arguments.compliancy, CompliancyText(info), {.option = "--compliancy"});
}

// Describes the results of a run: loads nothing, so that options for components do not apply.
int ExecuteResults(const DescribeArguments& arguments) {
  if (!arguments.component.empty() || !arguments.settings.empty() || !arguments.compliancy.empty() ||
      arguments.is_static) {
    throw UsageFault{"expected results alone, found options for a component too"};
  }
  const Json description = DescribeResults(arguments.file);
  if (arguments.json) {
    PrintLine(stdout, JsonText(description));
  } else {
    PrintResults(stdout, description);
  }
  return kSuccess;
}

int Execute(const DescribeArguments& arguments) {
  if (IsResultsFile(arguments.file)) {
    ExpectResults(arguments.file);
    return ExecuteResults(arguments);
  }
  ExpectFile(arguments.file);
  Problems imported;
  const AsComposition system(arguments.file, arguments.system, imported);
  CheckArguments(arguments, system);
  Problems problems;
  Json description = arguments.is_static ? AskStatic(arguments, problems) : Ask(arguments, problems);
  problems.insert(problems.begin(), imported.begin(), imported.end());
  if (arguments.json) {
    Json json = description.is_object() ? description : Json::object();
    json["problems"] = ToJson(problems);
    PrintLine(stdout, JsonText(json));
  } else {
    if (description.is_object()) PrintDescription(stdout, description);
    PrintProblems(stderr, problems);
  }
  if (!description.is_object() || HasErrors(problems)) return kProblemsFound;
  if (!arguments.compliancy.empty()) WriteCompliancy(arguments, description);
  return kSuccess;
}

}  // namespace

void AddDescribe(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<DescribeArguments>();
  CLI::App* describe = app.add_subcommand(
      "describe", "Describe a component (arguments, items, units, elements, times), or the contents of results");
  describe->add_option("FILE", arguments->file, "OMI file, composition, or results (.nc, .csv)")->required();
  describe->add_option("COMPONENT", arguments->component,
                       "Component of the composition; it gets its arguments from there");
  AddRepeated(*describe, "--argument", arguments->settings, "KEY=VALUE",
              "Argument to set before the component is initialized; may be repeated");
  describe->add_flag("--static", arguments->is_static,
                     "Load no library; read only the OMI file and the bytes of the library");
  describe->add_flag("--json", arguments->json, "Print JSON");
  AddValue(*describe, "--compliancy", arguments->compliancy, "OUT", "Write a compliancy information file");
  AddValue(*describe, "--supplier", arguments->supplier, "NAME", "Supplier named in the compliancy information");
  AddValue(*describe, "--component-version", arguments->version, "VERSION",
           "Version named in the compliancy information");
  AddTimeout(*describe, arguments->timeout);
  arguments->variables.AddTo(*describe);
  arguments->system.AddTo(*describe);
  AddChildFlag(*describe, arguments->in_child);
  describe->footer(
      "Examples:\n"
      "  openmi describe creek.omi\n"
      "  openmi describe upper-creek.xml creek --json | jq '.outputs[].id'\n"
      "  openmi describe creek.omi --argument reaches=creek.geojson --compliancy creek.xml --supplier Waterworks\n"
      "  openmi describe stranger.omi --static\n"
      "  openmi describe results/upper-creek.nc");
  describe->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
