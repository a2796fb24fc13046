#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddBmi(CLI::App& app, Invocation& invocation) {
  CLI::App* bmi = app.add_subcommand("bmi", "Work with libraries that offer the Basic Model Interface (BMI 2.0)");
  bmi->require_subcommand(1);
  AddBmiInfo(*bmi, invocation);
  AddBmiCheck(*bmi, invocation);
  AddBmiRun(*bmi, invocation);
  bmi->footer(
      "Examples:\n"
      "  openmi bmi info libheat_c.so --config plate.cfg\n"
      "  openmi bmi check libheat_c.so --config plate.cfg\n"
      "  openmi bmi run libheat_c.so --config plate.cfg --stop-time 60 -o plate.csv");
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddBmi, nullptr};
}

}  // namespace openmi::tools
