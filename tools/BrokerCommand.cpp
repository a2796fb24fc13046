#include "tools/Commands.hpp"

namespace openmi::tools {

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

}  // namespace openmi::tools
