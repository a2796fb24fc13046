#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "composition/import/ngen/ImportNgen.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Commands.hpp"
#include "tools/ImportText.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct NgenArguments {
  std::string realization, catchments, nexuses;
  NewPlace place;
  std::string name;
  std::string root = ".";
  std::string forcing;
  std::string timeout = "60";
  std::vector<std::string> libraries;
  bool load = false;
  bool no_routing = false;
};

std::vector<ngen::ModuleItem> ItemsOf(const Json& description, const char* list) {
  std::vector<ngen::ModuleItem> items;
  for (const Json& one : description.value(list, Json::array())) {
    ngen::ModuleItem item{.id = one.at("id").get<std::string>(), .unit = {}, .count = 1};
    if (const Json values = one.value("values", Json::object()); values.contains("unit")) {
      item.unit = values.at("unit").value("caption", std::string());
    }
    if (one.contains("elements")) item.count = one.at("elements").value("count", std::size_t{1});
    items.push_back(std::move(item));
  }
  return items;
}

/// The step of a described model, in seconds; 0: unknown.
double StepOf(const Json& description) {
  for (const Json& argument : description.value("arguments", Json::array())) {
    if (argument.value("id", std::string()) != "time-step" || !argument.at("value").is_string()) continue;
    return ToSeconds(ParseIsoDuration(argument.at("value").get<std::string>()));
  }
  return 0.0;
}

/// Asks a child process for the variables of a module.
std::optional<ngen::ModuleItems> Ask(const OmiFile& omi, double seconds, Problems& problems) {
  const TemporaryFolder folder;
  const fs::path path = folder.Path() / "module.omi";
  std::ofstream(path, std::ios::binary) << OmiText(omi);
  const ChildAnswer answer = AskThisProgram({"describe", path.string()}, seconds);
  const OmiArgument* library = omi.Argument("library");
  const Where where{.file = library != nullptr ? library->value : std::string()};
  if (!answer.IsThere()) {
    problems.push_back(DeathOf(answer, where));
    problems.back().remedy = answer.timed_out ? "give it more time (--timeout), or see why its code hangs"
                                              : "its code crashes or ends the process: openmi bmi info shows where";
    return std::nullopt;
  }
  const Json description = answer.value.value("description", Json());
  bool is_there = description.is_object();
  for (Problem problem : ProblemsFromJson(answer.value.at("problems"))) {
    // A model that does not initialize has no variables; openmi check reports the rest.
    const bool is_fatal = problem.severity == Problem::Error || problem.problem.find("initialize") != std::string::npos;
    if (!is_fatal || problem.severity == Problem::Note) continue;
    problem.severity = Problem::Error;
    problem.where = where;
    problems.push_back(std::move(problem));
    is_there = false;
  }
  if (!is_there) return std::nullopt;
  return ngen::ModuleItems{.inputs = ItemsOf(description, "inputs"),
                           .outputs = ItemsOf(description, "outputs"),
                           .step_seconds = omi.Argument("time-step") != nullptr ? 0.0 : StepOf(description)};
}

/// Asks for the variables and the step of a module, and again with `step` if it has none of its own.
std::optional<ngen::ModuleItems> Describe(OmiFile omi, const std::string& step, double seconds, Problems& problems) {
  Problems first;
  if (auto items = Ask(omi, seconds, first)) return items;
  omi.arguments.push_back({.key = "time-step", .value = step});
  return Ask(omi, seconds, problems);
}

ngen::NgenOptions OptionsOf(const NgenArguments& arguments, const fs::path& folder) {
  ngen::NgenOptions options;
  options.id = ImportedId(arguments.name, arguments.realization);
  ExpectFolder(arguments.root);
  options.root = fs::absolute(arguments.root).lexically_normal();
  for (const std::string& text : arguments.libraries) {
    auto [written, file] = ParseSetting(text, "--library");
    ExpectFile(file);
    options.libraries[written] = fs::absolute(file);
  }
  options.named = [folder](const fs::path& path) { return NamedFrom(folder, path); };
  if (arguments.load) {
    const double seconds = ParseNumber(arguments.timeout, "--timeout");
    options.describe = [seconds](const OmiFile& omi, const std::string& step, Problems& problems) {
      return Describe(omi, step, seconds, problems);
    };
  }
  return options;
}

int Execute(const NgenArguments& arguments) {
  ExpectFile(arguments.realization);
  ExpectFile(arguments.catchments);
  if (!arguments.nexuses.empty()) ExpectFile(arguments.nexuses);
  const fs::path folder = arguments.place.folder.empty() ? "." : arguments.place.folder;
  const ngen::NgenOptions options = OptionsOf(arguments, folder);
  Problems problems;
  ngen::Realization realization = ngen::ReadRealization(arguments.realization, problems);
  if (!arguments.forcing.empty()) {
    if (!fs::is_directory(arguments.forcing)) ExpectFile(arguments.forcing);
    ngen::ReplaceForcing(realization, fs::absolute(arguments.forcing));
  }
  const bool route = !arguments.no_routing && !realization.routing.empty();
  const ngen::Hydrofabric hydrofabric =
      ngen::ReadHydrofabric(fs::absolute(arguments.catchments),
                            arguments.nexuses.empty() ? fs::path() : fs::absolute(arguments.nexuses), route, problems);
  ngen::NgenImport made = ngen::ImportNgen(realization, hydrofabric, options, problems);
  const std::string name = options.id + ".xml";
  const bool is_written = !made.file.components.empty();
  if (is_written) {
    EscapeVariables(made.file);
    std::vector<NewFile> files = {
        {name, TextWithProblems(made.file, problems, fs::path(arguments.realization).filename().string())}};
    for (auto& [file, text] : made.files) files.push_back({file, std::move(text)});
    WriteNewFiles(arguments.place, files);
  }
  PrintProblems(stdout, problems);
  PrintLine(stdout, CountText(problems));
  if (!HasErrors(problems)) return kSuccess;
  if (is_written) TellNotReady(folder / name);
  return kProblemsFound;
}

}  // namespace

void AddImportNgen(CLI::App& import, Invocation& invocation) {
  auto arguments = std::make_shared<NgenArguments>();
  CLI::App* command =
      import.add_subcommand("ngen", "Turn a realization of NextGen (ngen) and its hydrofabric into a composition");
  AddValue(*command, "REALIZATION", arguments->realization, "FILE", "Realization of ngen (.json)")->required();
  AddValue(*command, "HYDROFABRIC", arguments->catchments, "FILE",
           "Hydrofabric: a GeoPackage, or the GeoJSON file of the catchments")
      ->required();
  AddValue(*command, "NEXUSES", arguments->nexuses, "FILE",
           "GeoJSON file of the nexuses; not with a GeoPackage, which has them");
  arguments->place.AddTo(*command, "the current one");
  AddValue(*command, "--name", arguments->name, "NAME",
           "Id of the composition, and name of its file (default: the name of REALIZATION)");
  AddShown(*command, "--root", arguments->root, "DIR",
           "Folder in which ngen runs: relative paths of the realization start there");
  AddValue(*command, "--forcing", arguments->forcing, "PATH",
           "Forcing of all catchments, in place of that of the realization: a NetCDF file, or a folder with a CSV file "
           "for each catchment");
  command->add_flag("--load", arguments->load,
                    "Load the libraries that the realization names, in a child process, to learn their variables; "
                    "without it, no link to a module is written");
  AddRepeated(*command, "--library", arguments->libraries, "PATH=FILE",
              "Library in place of the one that the realization writes as PATH; may be repeated");
  command->add_flag("--no-routing", arguments->no_routing, "Leave out the flowpaths");
  AddTimeout(*command, arguments->timeout);
  command->footer(
      "Each module becomes a population of BMI models, with an OMI file for its library. A library is code: the import "
      "loads none without --load, and a run loads all of them. Flowpaths are routed by openmi.MuskingumCunge, if the "
      "realization has routing. Everything that is not carried over is printed, and is in a comment at the start of "
      "the "
      "composition. The exit code is 5 if something is left to do before it runs.\n\n"
      "Examples:\n"
      "  openmi import ngen realization.json gauge.gpkg --load -o gauge\n"
      "  openmi import ngen realization.json catchments.geojson nexuses.geojson --root ~/ngen");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
