#include <cstdio>
#include <nlohmann/json.hpp>

#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "tools/Commands.hpp"
#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct FmuCheckArguments {
  std::string file;
  bool json = false;
};

int Execute(const FmuCheckArguments& arguments) {
  ExpectFile(arguments.file);
  Problems problems;
  try {
    fmi::InspectFmu(arguments.file, problems);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  if (arguments.json) {
    PrintLine(stdout, JsonText({{"file", arguments.file}, {"problems", ToJson(problems)}}));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddFmuCheck(CLI::App& fmu, Invocation& invocation) {
  auto arguments = std::make_shared<FmuCheckArguments>();
  CLI::App* check = fmu.add_subcommand("check", "Find all problems of an FMU that show without running it");
  check->add_option("FILE", arguments->file, "FMU, or the folder of an unpacked one")->required();
  check->add_flag("--json", arguments->json, "Print JSON");
  check->footer(
      "No library is loaded and nothing is unpacked.\n\n"
      "Examples:\n"
      "  openmi fmu check BouncingBall.fmu\n"
      "  openmi fmu check BouncingBall.fmu --json | jq '.problems[].problem'");
  check->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
