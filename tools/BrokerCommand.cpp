#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddBroker(CLI::App& app, Invocation& invocation) {
  CLI::App* broker = app.add_subcommand("broker", "Record and play streams of messages of a RabbitMQ broker");
  broker->require_subcommand(1);
  AddBrokerRecord(*broker, invocation);
  AddBrokerPlay(*broker, invocation);
  broker->footer(
      "Examples:\n"
      "  openmi broker record robot -o robot.jsonl\n"
      "  openmi broker play robot.jsonl robot");
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddBroker, nullptr};
}

}  // namespace openmi::tools
