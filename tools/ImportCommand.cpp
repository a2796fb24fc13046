#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/import/ImportComposition.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
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

struct ImportArguments {
  std::string file;
  NewPlace place;
  std::string name;
  std::string from;
  std::string to;
  std::vector<std::string> replacements;
};

std::optional<Stamp> TimeOf(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  try {
    return ParseIsoTime(text);
  } catch (const FormatError& error) {
    throw UsageFault{fmt::format("{} after {}; {}", error.Problem(), option, error.Remedy())};
  }
}

ImportOptions OptionsOf(const ImportArguments& arguments) {
  ImportOptions options;
  options.id = ImportedId(arguments.name, arguments.file);
  options.from = TimeOf(arguments.from, "--from");
  options.to = TimeOf(arguments.to, "--to");
  for (const std::string& text : arguments.replacements) {
    auto [id, omi] = ParseSetting(text, "--replace");
    ExpectFile(omi);
    if (!options.replacements.emplace(std::move(id), std::move(omi)).second) {
      throw UsageFault{fmt::format("expected one --replace for each component, found a second in '{}'", text)};
    }
  }
  return options;
}

int Execute(const ImportArguments& arguments) {
  ExpectFile(arguments.file);
  const ImportOptions options = OptionsOf(arguments);
  const fs::path folder = arguments.place.folder.empty() ? "." : arguments.place.folder;
  Problems problems;
  OldComposition old = ReadOldComposition(arguments.file, problems);
  FindModels(old, problems);
  CompositionFile file = ImportComposition(old, options, problems);
  const std::string name = options.id + ".xml";
  if (!file.components.empty()) {
    for (ComponentSpec& component : file.components) component.omi = AsItIs(NamedFrom(folder, component.omi));
    WriteNewFiles(arguments.place,
                  {{name, TextWithProblems(file, problems, fs::path(arguments.file).filename().string())}});
  }
  PrintProblems(stdout, problems);
  PrintLine(stdout, CountText(problems));
  if (!HasErrors(problems)) return kSuccess;
  if (!file.components.empty()) TellNotReady(folder / name);
  return kProblemsFound;
}

}  // namespace

void AddImport(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command =
      app.add_subcommand("import",
                         "Turn a project of the OpenMI configuration editor, or a realization of NextGen, into a "
                         "composition");
  AddValue(*command, "FILE", arguments->file, "FILE",
           "Project of the editor of OpenMI 1.4 or 2.0 (.opr), or an OMI file (.omi)");
  arguments->place.AddTo(*command, "the current one");
  AddValue(*command, "--name", arguments->name, "NAME",
           "Id of the composition, and name of its file (default: the name of FILE)");
  AddRepeated(*command, "--replace", arguments->replacements, "ID=OMI",
              "OMI file of the component that replaces the one with this id; an old model id or OMI path as written in "
              "FILE is understood too");
  AddValue(*command, "--from", arguments->from, "TIME", "Start of the run (default: what the OMI files state)");
  AddValue(*command, "--to", arguments->to, "TIME",
           "End of the run (default: the time for which the trigger asks, else what the OMI files state)");
  command->footer(
      "Components in Java and those of OpenMI 1.4 in .NET do not run here: each needs a replacement. One of OpenMI 2.0 "
      "in .NET runs if its assembly is there. Data operations become the adaptors that compute the same. Everything "
      "that is not carried over is printed, and is in a comment at the start of the composition. The exit code is 5 if "
      "something is left to do before it runs.\n\n"
      "Examples:\n"
      "  openmi import creek.opr\n"
      "  openmi import river.opr -o new --replace Muskingum=muskingum.omi --from 2009-08-20T00:00Z");
  AddImportNgen(*command, invocation);
  command->callback([arguments, command, &invocation] {
    if (!command->get_subcommands().empty()) return;
    if (arguments->file.empty()) throw CLI::RequiredError("FILE");
    invocation.execute = [arguments] { return Execute(*arguments); };
  });
}

}  // namespace openmi::tools
