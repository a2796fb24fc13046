#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddOsmp(CLI::App& app, Invocation& invocation) {
  CLI::App* osmp =
      app.add_subcommand("osmp", "Work with OSMP models: FMUs of sensors and traffic that exchange OSI messages");
  osmp->require_subcommand(1);
  AddOsmpInfo(*osmp, invocation);
  AddOsmpTrace(*osmp, invocation);
  AddOsmpSchema(*osmp, invocation);
  osmp->footer(
      "Examples:\n"
      "  openmi osmp info sensor.fmu\n"
      "  openmi osmp trace overtaking_gt.osi --plot overtaking.svg\n"
      "  openmi osmp schema open-simulation-interface -o osi.osi-table");
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddOsmp, nullptr};
}

}  // namespace openmi::tools
