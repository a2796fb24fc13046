#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "tools/CheckDescription.hpp"

namespace openmi::tools {

void AddFmuCheck(CLI::App& fmu, Invocation& invocation) {
  AddDescriptionCheck(fmu, invocation,
                      {.purpose = "Find all problems of an FMU that can be found without running it",
                       .file = "FMU, or the folder of an unpacked one",
                       .footer = "No library is loaded and nothing is unpacked.\n\n"
                                 "Examples:\n"
                                 "  openmi fmu check BouncingBall.fmu\n"
                                 "  openmi fmu check BouncingBall.fmu --json | jq '.problems[].problem'",
                       .find = [](const std::string& file, Problems& problems) {
                         fmi::InspectFmu(file, problems, fmi::LibrariesFor::ThisMachine);
                       }});
}

}  // namespace openmi::tools
