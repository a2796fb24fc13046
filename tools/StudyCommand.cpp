#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddStudy(CLI::App& app, Invocation& invocation) {
  CLI::App* study = app.add_subcommand("study", "Run a composition many times: sweeps, ensembles, calibration");
  study->require_subcommand(1);
  AddStudyCheck(*study, invocation);
  AddStudyShow(*study, invocation);
  AddStudyRun(*study, invocation);
  AddStudyStatus(*study, invocation);
  AddStudyResume(*study, invocation);
  AddStudyRetry(*study, invocation);
  study->footer(
      "Examples:\n"
      "  openmi study check storage.xml\n"
      "  openmi study run storage.xml --results out\n"
      "  openmi study status storage.xml --results out\n"
      "  openmi study show storage.xml 17 -o member-17.xml");
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddStudy, nullptr};
}

}  // namespace openmi::tools
