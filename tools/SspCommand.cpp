#include "tools/Commands.hpp"

namespace openmi::tools {

void AddSsp(CLI::App& app, Invocation& invocation) {
  CLI::App* ssp = app.add_subcommand("ssp", "Work with system structures: FMUs and the connections between them");
  ssp->require_subcommand(1);
  AddSspInfo(*ssp, invocation);
  AddCheck(*ssp, invocation);
  ssp->get_subcommand("check")
      ->description("Check system structures as compositions; the same as openmi check")
      ->footer("Examples:\n  openmi ssp check plant.ssp\n  openmi ssp check SystemStructure.ssd --step 0.01");
  AddRun(*ssp, invocation);
  ssp->get_subcommand("run")
      ->description("Run a system structure as a composition; the same as openmi run")
      ->footer("Examples:\n  openmi ssp run plant.ssp\n  openmi ssp run plant.ssp --stop-time 20 --step 0.01");
  for (const char* name : {"check", "run"}) {
    ssp->get_subcommand(name)->get_option("FILE")->description(
        "Package (.ssp), description (.ssd) or OspSystemStructure.xml");
  }
  AddSspExport(*ssp, invocation);
  ssp->footer(
      "Examples:\n"
      "  openmi ssp info plant.ssp\n"
      "  openmi ssp check plant.ssp\n"
      "  openmi ssp run plant.ssp --stop-time 20\n"
      "  openmi ssp export composition.xml -o plant.ssp");
}

}  // namespace openmi::tools
