#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct SspExportArguments {
  std::string file;
  std::string output;
  std::string version = "2.0";
  bool flat = false;
  SystemStructureOptions system;
};

int Execute(const SspExportArguments& arguments) {
  ExpectFile(arguments.file);
  const ssp::SspVersion version = arguments.version == "1.0" ? ssp::SspVersion::V1 : ssp::SspVersion::V2;
  const std::string output = arguments.output.empty() ? NamedAfter(arguments.file, ".ssp") : arguments.output;
  ExpectEnding(output, ".ssp", "-o", "name the package");
  std::error_code error;
  if (std::filesystem::equivalent(arguments.file, output, error)) {
    throw UsageFault{"expected another file for the package, found the one that is read; name it with -o"};
  }
  SystemStructureOptions changes = arguments.system;
  changes.within.clear();
  const bool is_changed = arguments.flat || ssp::IsOspStructure(arguments.file) || !changes.Arguments().empty();
  Problems problems;
  const bool is_done = PrintProblemsOf(problems, [&] {
    if (ssp::IsSystemStructure(arguments.file) && !is_changed) {
      ssp::RewriteSystemStructure(arguments.file, version, output, problems, arguments.system.within);
    } else {
      const AsComposition system(arguments.file, arguments.system, problems);
      const CompositionFile composition = system.File(problems);
      if (!HasErrors(problems)) ssp::ExportComposition(composition, version, output, problems);
    }
    ThrowIfErrors(problems);
  });
  if (!is_done) return kProblemsFound;
  PrintLine(stdout, fmt::format("{}: SSP {}, {:.1f} MB", output, arguments.version,
                                static_cast<double>(std::filesystem::file_size(output)) * 1e-6));
  return kSuccess;
}

}  // namespace

void AddSspExport(CLI::App& ssp, Invocation& invocation) {
  auto arguments = std::make_shared<SspExportArguments>();
  CLI::App* command = ssp.add_subcommand(
      "export", "Write a composition of FMUs as a package (.ssp), or a system structure in another version of SSP");
  command->add_option("FILE", arguments->file, "Composition or system structure")->required();
  AddValue(*command, "-o,--output-file", arguments->output, "OUT", "The package (default: FILE's name with .ssp)");
  AddChoice(*command, "--version", arguments->version, {"1.0", "2.0"}, "Version of SSP");
  command->add_flag("--flat", arguments->flat,
                    "Write a system structure as the composition that it becomes: one level, without its graphics");
  arguments->system.AddTo(*command);
  command->footer(
      "Examples:\n"
      "  openmi ssp export composition.xml -o plant.ssp\n"
      "  openmi ssp export plant.ssp --version 1.0 -o plant-1.ssp\n"
      "  openmi ssp export plant.ssp --stop-time 20 --step 0.01 -o longer.ssp");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
