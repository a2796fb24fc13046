#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/export/fmu/ExportFmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/ExportArguments.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct FmuExportArguments {
  std::string file;
  std::string output;
  std::string fmi = "2";
  std::vector<std::string> include;
  double time_limit = 0.0;
  bool complete = false;
  bool lean = false;
  ExportArguments exported;
  SystemStructureOptions system;
};

int Execute(const FmuExportArguments& arguments) {
  ExpectFile(arguments.file);
  exported::ExportOptions options;
  Problems problems;
  AsComposition system(arguments.file, arguments.system, problems);
  options.source = system.Path();
  options.output = arguments.output.empty() ? NamedAfter(arguments.file, ".fmu") : arguments.output;
  ExpectEnding(options.output.string(), ".fmu", "-o", "name the FMU");
  options.version = arguments.fmi == "3" ? 3 : 2;
  arguments.exported.PutInto(options);
  options.include.assign(arguments.include.begin(), arguments.include.end());
  options.time_limit_seconds = arguments.time_limit;
  options.complete = arguments.complete;
  options.lean = arguments.lean;
  exported::ExportInterface interface;
  if (!PrintProblemsOf(problems, [&] { interface = fmu::ExportFmu(options, problems); })) return kProblemsFound;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t parameters = 0;
  for (const exported::ExportedVariable& variable : interface.variables) {
    inputs += variable.role == exported::VariableRole::Input ? 1 : 0;
    outputs += variable.role == exported::VariableRole::Output ? 1 : 0;
    parameters += variable.role == exported::VariableRole::Parameter ? 1 : 0;
  }
  PrintLine(stdout, fmt::format("{}: FMI {}.0, inputs: {}, outputs: {}, parameters: {}, state: {}, {:.1f} MB",
                                options.output.string(), options.version, inputs, outputs, parameters,
                                interface.keeps_state ? "yes" : "no",
                                static_cast<double>(std::filesystem::file_size(options.output)) * 1e-6));
  return kSuccess;
}

}  // namespace

void AddFmuExport(CLI::App& fmu, Invocation& invocation) {
  auto arguments = std::make_shared<FmuExportArguments>();
  CLI::App* command =
      fmu.add_subcommand("export", "Make an FMU of a composition or an OMI file; it contains the runtime");
  command->add_option("FILE", arguments->file, "Composition or OMI file")->required();
  AddValue(*command, "-o,--output-file", arguments->output, "OUT", "The FMU (default: FILE's name with .fmu)");
  AddChoice(*command, "--fmi", arguments->fmi, {"2", "3"}, "Version of FMI");
  arguments->exported.AddTo(*command, "FMU", "importer");
  arguments->system.AddTo(*command);
  AddRepeated(*command, "--include", arguments->include, "FILE",
              "File or folder to include because components read it and no argument names it; may be repeated");
  AddValue(*command, "--time-limit", arguments->time_limit, "SECONDS",
           "Longest time that a call of the FMU may take; after it, the process of the FMU is ended and the call "
           "returns an error (default: no limit)")
      ->check(CLI::Range(1e-3, 1e9).description(""));
  CLI::Option* lean =
      command->add_flag("--lean", arguments->lean, "Omit third-party libraries; the importer's machine must have them");
  command
      ->add_flag("--complete", arguments->complete,
                 "Include all libraries, even those that the model does not seem to need")
      ->excludes(lean);
  command->footer(
      "Examples:\n"
      "  openmi fmu export upper-creek.xml -o upper-creek.fmu\n"
      "  openmi fmu export upper-creek.xml --fmi 3 --input creek.tailwater-level --output creek.discharge\n"
      "  openmi fmu export runoff.omi --from 2015-12-01T00:00Z --to 2015-12-31T00:00Z");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
