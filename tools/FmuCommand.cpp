#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddFmu(CLI::App& app, Invocation& invocation) {
  CLI::App* fmu = app.add_subcommand("fmu", "Work with FMUs: Functional Mock-up Units, models of other tools");
  fmu->require_subcommand(1);
  AddFmuInfo(*fmu, invocation);
  AddFmuCheck(*fmu, invocation);
  AddFmuRun(*fmu, invocation);
  AddFmuExport(*fmu, invocation);
  fmu->footer(
      "Examples:\n"
      "  openmi fmu info BouncingBall.fmu\n"
      "  openmi fmu check BouncingBall.fmu\n"
      "  openmi fmu run BouncingBall.fmu -o ball.csv\n"
      "  openmi fmu export upper-creek.xml -o upper-creek.fmu");
}

void AddNouns(CLI::App& app, Invocation& invocation) {
  AddFmu(app, invocation);
  AddSsp(app, invocation);
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddNouns, AddNewFmuComposition};
}

}  // namespace openmi::tools
