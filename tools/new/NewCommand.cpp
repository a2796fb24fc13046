#include "tools/Commands.hpp"
#include "tools/new/NewKinds.hpp"

namespace openmi::tools {

void AddNew(CLI::App& app, Invocation& invocation) {
  CLI::App* group =
      app.add_subcommand("new", "Write what one begins with: a component, a wrapper, an adaptor, a composition");
  group->require_subcommand(1);
  AddNewComponent(*group, invocation);
  AddNewSolvers(*group, invocation);
  AddNewBmiLibrary(*group, invocation);
  AddNewAdaptor(*group, invocation);
  AddNewComposition(*group, invocation);
  AddNewFmuComposition(*group, invocation);
  group->footer(
      "What is written passes openmi check and runs as it is; where something has to be filled in first, the file says what. Nothing is written over without --overwrite.\n\n"
      "Examples:\n"
      "  openmi new component linear-tank\n"
      "  openmi new c-solver old-tanks\n"
      "  openmi new fortran-solver old-tanks\n"
      "  openmi new bmi-library bmi-tank\n"
      "  openmi new adaptor soft-limit\n"
      "  openmi new composition rain.omi runoff.omi\n"
      "  openmi new fmu-composition plant.fmu controller.fmu");
}

}  // namespace openmi::tools
