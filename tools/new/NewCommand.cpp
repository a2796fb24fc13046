#include "tools/Commands.hpp"
#include "tools/new/NewKinds.hpp"

namespace openmi::tools {

void AddNew(CLI::App& app, Invocation& invocation) {
  CLI::App* group = app.add_subcommand("new", "Write what one begins with: a component, a composition, one of FMUs");
  group->require_subcommand(1);
  AddNewComponent(*group, invocation);
  AddNewComposition(*group, invocation);
  AddNewFmuComposition(*group, invocation);
  group->footer(
      "What is written passes openmi check and runs as it is. Nothing is written over without --overwrite.\n\n"
      "Examples:\n"
      "  openmi new component linear-tank\n"
      "  openmi new composition rain.omi runoff.omi\n"
      "  openmi new fmu-composition plant.fmu controller.fmu");
}

}  // namespace openmi::tools
