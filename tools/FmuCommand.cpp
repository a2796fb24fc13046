#include "tools/Commands.hpp"

namespace openmi::tools {

void AddFmu(CLI::App& app, Invocation& invocation) {
  CLI::App* fmu = app.add_subcommand("fmu", "Work with FMUs: Functional Mock-up Units, models of other tools");
  fmu->require_subcommand(1);
  AddFmuRun(*fmu, invocation);
  fmu->footer(
      "Examples:\n"
      "  openmi fmu run BouncingBall.fmu -o ball.csv");
}

}  // namespace openmi::tools
