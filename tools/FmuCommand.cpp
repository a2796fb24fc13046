#include "tools/Commands.hpp"

namespace openmi::tools {

void AddFmu(CLI::App& app, Invocation& invocation) {
  CLI::App* fmu = app.add_subcommand("fmu", "Work with FMUs: Functional Mock-up Units, models of other tools");
  fmu->require_subcommand(1);
  AddFmuExport(*fmu, invocation);
  fmu->footer(
      "Examples:\n"
      "  openmi fmu export upper-creek.xml -o upper-creek.fmu");
}

}  // namespace openmi::tools
