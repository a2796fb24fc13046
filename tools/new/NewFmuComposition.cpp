#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/FmuExtras.hpp"
#include "fmi-bridge/fmi/MatchTerminals.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/Stamp.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"
#include "tools/new/WireParts.hpp"

namespace openmi::tools {
namespace {

namespace fs = std::filesystem;

constexpr Stamp kBegin{51544.0};         // 2000-01-01
constexpr std::size_t kMostListed = 60;  // parameters of one FMU

struct NewFmuCompositionArguments {
  std::vector<std::string> fmus;
  std::vector<std::string> connections;
  NewPlace place;
  PartsOptions options{.name = "composition", .from = {}, .to = {}};
};

/// "PT0.1S"; empty if the FMU states no step.
std::string StepOf(const fmi::ModelDescription& description) {
  const double step = fmi::DefaultStepSeconds(description, fmi::DefaultKind(description));
  return step > 0.0 ? fmt::format("PT{}S", step) : std::string();
}

/// The parameters that the OMI file can set, or the start values of outputs, for a comment.
std::string ParametersOf(const nlohmann::ordered_json& described, const fmi::ModelDescription& description,
                         bool are_outputs) {
  std::string text;
  std::size_t count = 0;
  for (const auto& argument : described.at("arguments")) {
    const auto id = argument.at("id").get<std::string>();
    const std::string name = id.starts_with("fmu:") ? id.substr(4) : id;
    const auto variable = std::ranges::find(description.variables, name, &fmi::Variable::name);
    if (variable == description.variables.end()) continue;
    if ((variable->causality == fmi::Causality::Output) != are_outputs) continue;
    if (++count > kMostListed) continue;
    const std::string unit = argument.value("unit", "");
    const std::string value =
        argument.at("default").is_string() ? argument.at("default").get<std::string>() : argument.at("default").dump();
    text += fmt::format("    {} = {}{}{}\n", id, value, unit.empty() ? "" : " " + unit,
                        variable->description.empty() ? "" : ": " + variable->description);
  }
  if (count > kMostListed) text += fmt::format("    and {} more: openmi describe\n", count - kMostListed);
  return text;
}

OmiFile OmiOf(const std::string& fmu, const std::string& step) {
  OmiFile omi;
  omi.type = "openmi.fmi.Fmu";
  omi.assembly = "openmi-fmi-bridge";
  omi.arguments.push_back({.key = "fmu", .value = fmu});
  if (!step.empty()) omi.arguments.push_back({.key = "time-step", .value = step});
  return omi;
}

/// The links that a connection "plant.shaft=motor.shaft" of terminals means.
std::vector<PartLink> LinksOf(const std::string& connection, const std::vector<std::string>& fmus,
                              const std::vector<Part>& parts, const std::vector<fmi::ModelDescription>& descriptions) {
  struct End {
    std::size_t part = 0;
    std::vector<fmi::Terminal> terminals;
    std::string path;
  };
  const auto refuse = [&connection] {
    throw ArgumentError({.item = "--connect"},
                        fmt::format("expected two terminals as plant.shaft=motor.shaft, found {}", Quoted(connection)),
                        "name two of the components and a terminal of each; openmi fmu info lists terminals");
  };
  const std::size_t equals = connection.find('=');
  if (equals == std::string::npos) refuse();
  std::array<End, 2> ends;
  for (End& end : ends) {
    const std::string text = &end == ends.data() ? connection.substr(0, equals) : connection.substr(equals + 1);
    const std::size_t dot = text.find('.');
    const auto part = std::ranges::find(parts, text.substr(0, dot), &Part::id);
    if (dot == std::string::npos || part == parts.end()) refuse();
    end.part = static_cast<std::size_t>(part - parts.begin());
    end.path = text.substr(dot + 1);
    Problems problems;
    end.terminals = fmi::TerminalsOf(fmus[end.part], fmi::FilesOf(fmus[end.part]), descriptions[end.part], problems);
    PrintProblems(stderr, problems);
  }
  const auto end_of = [&](const End& end) {
    const std::string& id = parts[end.part].id;
    return fmi::TerminalEnd{id, descriptions[end.part], fmi::FindTerminal(end.terminals, end.path, id)};
  };
  const fmi::TerminalEnd first = end_of(ends[0]);
  const fmi::TerminalEnd second = end_of(ends[1]);
  std::vector<PartLink> links;
  for (const fmi::TerminalLink& link : fmi::MatchTerminals(first, second)) {
    PartLink one{.from = first.component + "." + first.model.At(link.first).name,
                 .to = second.component + "." + second.model.At(link.second).name,
                 .is_negated = link.is_negated};
    if (link.is_reversed) std::swap(one.from, one.to);
    links.push_back(std::move(one));
  }
  return links;
}

int Execute(NewFmuCompositionArguments arguments) {
  const fs::path folder = arguments.place.folder.empty() ? "." : arguments.place.folder;
  std::vector<Part> parts;
  std::vector<std::string> ids;
  std::vector<NewFile> files;
  std::vector<fmi::ModelDescription> descriptions;
  double longest = 0.0;
  for (const std::string& fmu : arguments.fmus) {
    ExpectFile(fmu);
    Problems problems;
    fmi::ModelDescription description = fmi::ReadFmuDescription(fmu, problems);
    ThrowIfErrors(problems);
    const auto& experiment = description.experiment;
    if (experiment.stop) {
      longest =
          std::max(longest, (*experiment.stop - experiment.start.value_or(0.0)) * fmi::SecondsPerTimeUnit(description));
    }
    const fs::path bare = fs::path(fmu).has_filename() ? fs::path(fmu) : fs::path(fmu).parent_path();
    const std::string id = NewId(bare.stem().string(), ids);
    files.push_back({id + ".omi", OmiText(OmiOf(NamedFrom(folder, fmu), StepOf(description)))});
    parts.push_back({.id = id, .omi = id + ".omi", .described = {}});
    descriptions.push_back(std::move(description));
  }
  for (const std::string& connection : arguments.connections) {
    for (PartLink& link : LinksOf(connection, arguments.fmus, parts, descriptions)) {
      arguments.options.links.push_back(std::move(link));
    }
  }
  files.push_back({arguments.options.name + ".xml", ""});  // refused with the others if it exists, and filled below
  std::vector<fs::path> made;
  std::error_code error;
  for (const NewFile& file : files) {
    if (!fs::exists(folder / file.name, error)) made.push_back(folder / file.name);
  }
  const auto remove_made = [&made, &error] {
    for (const fs::path& file : made) fs::remove(file, error);  // errors are ignored: nothing can be done
  };
  WriteNewFiles(arguments.place, files);
  Problems problems;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    part.described = DescribePart((folder / part.omi).string(), arguments.options.timeout, problems);
    if (HasErrors(problems) || !part.described.is_object()) {
      remove_made();
      PrintProblems(stderr, problems);
      return kProblemsFound;
    }
    std::string parameters = ParametersOf(part.described, descriptions[i], false);
    if (const std::string outputs = ParametersOf(part.described, descriptions[i], true); !outputs.empty()) {
      parameters += "    Start values of outputs, which can be set as well:\n" + outputs;
    }
    if (parameters.empty()) continue;
    std::string text = files[i].text;
    const std::string comment = "    <!-- Parameters that can be set here, or for the component in the composition:\n" +
                                InComment(parameters) + "    -->\n";
    files[i].text = text.insert(text.find("  </Arguments>"), comment);
  }
  PartsOptions options = arguments.options;
  if (options.from.empty()) options.from = FormatIsoTime(kBegin);
  if (options.to.empty()) {
    options.to = FormatIsoTime(ParseIsoTime(options.from, 0.0) + Seconds(longest > 0.0 ? longest : 1.0));
  }
  files.pop_back();
  for (const NewFile& file : files) WriteOutput((folder / file.name).string(), file.text, {.says_so = false});
  try {
    problems = WriteComposition(CompositionPath(arguments.place, options), parts, options);
  } catch (const ArgumentError&) {  // a link of --connect cannot be made
    remove_made();
    throw;
  }
  PrintProblems(stdout, problems);
  PrintLine(stdout, CountText(problems));
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddNewFmuComposition(CLI::App& group, Invocation& invocation) {
  auto arguments = std::make_shared<NewFmuCompositionArguments>();
  CLI::App* command =
      group.add_subcommand("fmu-composition", "Write an OMI file for each FMU, and a composition of them");
  AddValue(*command, "FMU", arguments->fmus, "FILE",
           "FMUs, archives or unpacked folders; an FMU that is named twice becomes two components")
      ->required();
  AddRepeated(*command, "--connect", arguments->connections, "A.T=B.U",
              "Link the variables of two terminals by their matching rules; may be repeated");
  AddPartsOptions(*command, arguments->place, arguments->options, "2000-01-01",
                  "as long as the longest default experiment");
  command->footer(
      "An input is linked if exactly one output of another FMU has its name and fits it, or carries the same messages "
      "of OSI. Comments list the other "
      "outputs that fit. Comments in the OMI files list the parameters with their start values.\n\n"
      "Examples:\n"
      "  openmi new fmu-composition plant.fmu controller.fmu\n"
      "  openmi new fmu-composition motor.fmu load.fmu --connect motor.shaft=load.shaft\n"
      "  openmi new fmu-composition plant.fmu controller.fmu -o coupled --name plant && openmi run coupled/plant.xml");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
