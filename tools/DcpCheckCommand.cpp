#include <cstdio>
#include <nlohmann/json.hpp>

#include "fmi-bridge/dcp/description/SlaveDescriptionReader.hpp"
#include "tools/Commands.hpp"
#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct DcpCheckArguments {
  std::string file;
  bool json = false;
};

int Execute(const DcpCheckArguments& arguments) {
  ExpectFile(arguments.file);
  Problems problems;
  try {
    dcp::LoadSlaveDescription(arguments.file, problems);
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

void AddDcpCheck(CLI::App& dcp, Invocation& invocation) {
  auto arguments = std::make_shared<DcpCheckArguments>();
  CLI::App* check = dcp.add_subcommand("check", "Find all problems of a slave description");
  check->add_option("FILE", arguments->file, "Slave description (.dcpx), .dcp archive, or the folder of one")
      ->required();
  check->add_flag("--json", arguments->json, "Print JSON");
  check->footer(
      "Nothing is sent to the slave.\n\n"
      "Examples:\n"
      "  openmi dcp check tank.dcpx\n"
      "  openmi dcp check tank.dcp --json | jq '.problems[].problem'");
  check->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
