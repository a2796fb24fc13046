#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/fmi/ssp/ImportByPart.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"
#include "tools/new/WireParts.hpp"

namespace openmi::tools {
namespace {

namespace fs = std::filesystem;

struct NewCompositionArguments {
  std::vector<std::string> omi_files;
  NewPlace place;
  SystemStructureOptions system;
  std::string time_option;  ///< the option --from or --to, if it was given
  PartsOptions options{.name = "composition", .from = "2020-01-01T00:00Z", .to = "2020-01-02T00:00Z"};
};

std::string BytesOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  if (!stream && !stream.eof()) {
    throw FileError({.file = file.string()}, "expected a file that can be read, found none", "check the package");
  }
  return bytes;
}

/// Writes the composition that a system structure becomes. FMUs of a package are written beside it; those beside a
/// description stay in their place.
int WriteSystem(const NewCompositionArguments& arguments) {
  const std::string& path = arguments.omi_files.front();
  ExpectFile(path);
  if (!arguments.time_option.empty()) {
    throw UsageFault{"expected OMI files with " + arguments.time_option + ", found " + arguments.time_option +
                     " with the system structure '" + path + "'; use --start-time and --stop-time, in seconds"};
  }
  Problems problems;
  const ssp::ImportedSystem imported = ssp::ImportByPart(path, problems, arguments.system.Values());
  const auto tell = [&] {
    PrintProblems(HasErrors(problems) ? stderr : stdout, problems);
    PrintLine(HasErrors(problems) ? stderr : stdout, CountText(problems));
    return HasErrors(problems) ? kProblemsFound : kSuccess;
  };
  if (HasErrors(problems)) return tell();
  const fs::path folder = arguments.place.folder.empty() ? "." : arguments.place.folder;
  const bool is_package = fs::path(path).extension() != ".ssd";
  CompositionFile file = imported.composition;
  file.id = arguments.options.name;
  std::vector<NewFile> files;
  std::map<fs::path, std::string> names;  // names of the written files
  const auto name_of = [&](const fs::path& fmu) {
    const auto [found, is_new] = names.try_emplace(fmu);
    if (!is_new) return found->second;
    const fs::path inside = fmu.lexically_relative(fs::canonical(imported.package->Folder()));
    std::string name =
        inside.empty() || *inside.begin() == ".." ? "resources/" + fmu.filename().string() : inside.generic_string();
    const auto is_taken = [&] {
      return std::ranges::any_of(files, [&](const NewFile& one) { return one.name == name; });
    };
    for (int i = 2; is_taken(); ++i) name = fmt::format("resources/{}-{}", i, fmu.filename().string());
    if (fs::is_directory(fmu)) {
      for (const auto& entry : fs::recursive_directory_iterator(fmu)) {
        if (!entry.is_regular_file()) continue;
        files.push_back({name + "/" + entry.path().lexically_relative(fmu).generic_string(), BytesOf(entry.path())});
      }
    } else {
      files.push_back({name, BytesOf(fmu)});
    }
    return found->second = name;
  };
  for (ComponentSpec& component : file.components) {
    for (ArgumentSpec& argument : component.arguments) {
      if (argument.key != "fmu") continue;
      const std::string fmu = Substitute(argument.value, {}, {}, problems);  // written unchanged
      argument.value = AsItIs(is_package ? name_of(fmu) : NamedFrom(folder, fmu));
      break;
    }
  }
  files.push_back({arguments.options.name + ".xml", CompositionText(file)});
  WriteNewFiles(arguments.place, files);
  return tell();
}

int Execute(const NewCompositionArguments& arguments) {
  const fs::path folder = arguments.place.folder.empty() ? "." : arguments.place.folder;
  Problems problems;
  if (arguments.omi_files.empty()) {
    // For users without a component: two ready ones.
    const PartsOptions& options = arguments.options;
    const TemplateValues values = {{"Name", options.name}, {"From", options.from}, {"To", options.to}};
    WriteNewFiles(arguments.place,
                  {{options.name + ".xml", Filled(EmbeddedTemplate("composition/composition.xml.in"), values)}});
    return kSuccess;
  }
  if (std::ranges::any_of(arguments.omi_files, [](const std::string& one) { return ssp::IsSystemStructure(one); })) {
    if (arguments.omi_files.size() == 1) return WriteSystem(arguments);
    throw UsageFault{"expected OMI files, or one system structure alone, found both"};
  }
  if (!arguments.system.Arguments().empty()) {
    throw UsageFault{"expected a system structure (.ssp, .ssd) with " + arguments.system.Arguments().front() +
                     ", found OMI files"};
  }
  std::vector<Part> parts;
  std::vector<std::string> ids;
  for (const std::string& omi : arguments.omi_files) {
    if (KindOf(omi) != InputKind::Omi) throw UsageFault{"expected OMI files, found '" + omi + "'"};
    Part part{.id = NewId(fs::path(omi).stem().string(), ids), .omi = NamedFrom(folder, omi), .described = {}};
    part.described = DescribePart(omi, arguments.options.timeout, problems);
    if (HasErrors(problems) || !part.described.is_object()) {
      PrintProblems(stderr, problems);
      return kProblemsFound;
    }
    parts.push_back(std::move(part));
  }
  WriteNewFiles(arguments.place, {{arguments.options.name + ".xml", ""}});  // refused if the file exists
  problems = WriteComposition(CompositionPath(arguments.place, arguments.options), parts, arguments.options);
  PrintProblems(stdout, problems);
  PrintLine(stdout, CountText(problems));
  if (HasErrors(problems)) {
    PrintLine(stdout, fmt::format("{}: not ready to run: fill in what its comments ask for, then run openmi check",
                                  CompositionPath(arguments.place, arguments.options)));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddNewComposition(CLI::App& group, Invocation& invocation) {
  auto arguments = std::make_shared<NewCompositionArguments>();
  CLI::App* command =
      group.add_subcommand("composition", "Write a composition of OMI files or of a system structure, or an example");
  AddValue(*command, "OMI", arguments->omi_files, "FILE",
           "OMI files, or one system structure (.ssp, .ssd), whose FMUs are written beside the composition; without "
           "files, an example that links two ready components");
  AddPartsOptions(*command, arguments->place, arguments->options, "2020-01-01", "a day later");
  CLI::Option* const from = command->get_option("--from");
  CLI::Option* const to = command->get_option("--to");
  from->description(from->get_description() + "; for a system structure use --start-time");
  to->description(to->get_description() + "; for a system structure use --stop-time");
  arguments->system.AddTo(*command);
  command->footer(
      "An input is linked if exactly one output of another component has its name and its dimension. An input that "
      "needs a link is also linked if only one output fits it. The link gets an adaptor if steps, stamps and spans, or "
      "elements differ. Comments list the other outputs that fit, and what you have to fill in before the composition "
      "runs.\n\n"
      "Examples:\n"
      "  openmi new composition\n"
      "  openmi new composition plant.ssp -o plant && openmi run plant/composition.xml\n"
      "  openmi new composition rain.omi runoff.omi --name upper-creek --from 2015-12-01T00:00Z --to "
      "2015-12-31T00:00Z");
  command->callback([arguments, from, to, &invocation] {
    arguments->time_option = from->count() > 0 ? "--from" : to->count() > 0 ? "--to" : "";
    invocation.execute = [arguments] { return Execute(*arguments); };
  });
}

}  // namespace openmi::tools
