#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct DcpInfoArguments {
  std::string file;
  bool json = false;
};

std::string StepsText(const dcp::StepRange& steps) {
  if (steps.is_fixed) return fmt::format("{} step{}", steps.standard, steps.standard == 1 ? "" : "s");
  return fmt::format("{} to {} steps, {} by default", steps.fewest.value_or(1),
                     steps.most ? std::to_string(*steps.most) : std::string("any number of"), steps.standard);
}

void PrintTransport(const char* name, const std::optional<dcp::Ipv4>& ip) {
  if (!ip) return;
  std::string text = fmt::format("  {}: ", name);
  text += ip->control_host || ip->control_port
              ? fmt::format("{}:{}", ip->control_host.value_or("any host"),
                            ip->control_port ? std::to_string(*ip->control_port) : std::string("?"))
              : std::string("where the slave listens is not stated");
  if (ip->data && !ip->data->ranges.empty()) {
    std::vector<std::string> ports;
    for (const dcp::PortRange& range : ip->data->ranges) {
      ports.push_back(range.from == range.to ? std::to_string(range.from) : fmt::format("{}-{}", range.from, range.to));
    }
    text += fmt::format(", data at ports {}", fmt::join(ports, " "));
  }
  PrintLine(stdout, PrintableText(text + fmt::format(", PDUs up to {} bytes", ip->max_pdu_size)));
}

void PrintHead(const dcp::SlaveDescription& slave) {
  PrintLine(stdout, PrintableText(fmt::format("{}  DCP {}.{}  {}", slave.name, slave.major_version, slave.minor_version,
                                              dcp::ToText(slave.uuid))));
  const auto line = [](const char* key, const std::string& text) {
    if (!text.empty()) PrintLine(stdout, PrintableText(fmt::format("  {}: {}", key, text)));
  };
  line("description", slave.description);
  line("version", slave.version);
  line("author", slave.author);
  line("copyright", slave.copyright);
  line("license", slave.license);
  line("generation tool", slave.generation_tool);
  std::string modes;
  if (slave.hard_real_time) modes += "hard real time; ";
  if (slave.soft_real_time) modes += "soft real time; ";
  if (slave.non_real_time) modes += fmt::format("non-real time ({}); ", StepsText(*slave.non_real_time));
  line("modes", modes.substr(0, modes.size() - std::min<std::size_t>(modes.size(), 2)));
  line("time resolution", slave.ResolutionsText());
  if (slave.heartbeat) line("heartbeat", fmt::format("at least every {} s", slave.heartbeat->Seconds()));
  PrintTransport("UDP/IPv4", slave.transports.udp);
  PrintTransport("TCP/IPv4", slave.transports.tcp);
  std::vector<std::string> others;
  if (slave.transports.can) others.emplace_back("CAN");
  if (slave.transports.usb2) others.emplace_back("USB 2");
  if (slave.transports.bluetooth) others.emplace_back("Bluetooth");
  line("other transports", fmt::format("{}", fmt::join(others, ", ")));
  std::vector<std::string> can;
  const dcp::CapabilityFlags& flags = slave.capabilities;
  if (flags.can_accept_config_pdus) can.emplace_back("be configured");
  if (flags.can_handle_reset) can.emplace_back("be reset");
  if (flags.can_handle_variable_steps) can.emplace_back("vary steps");
  if (flags.can_monitor_heartbeat) can.emplace_back("watch the heartbeat");
  if (flags.can_provide_log_on_request) can.emplace_back("log on request");
  if (flags.can_provide_log_on_notification) can.emplace_back("log by itself");
  line("can", fmt::format("{}", fmt::join(can, ", ")));
}

void PrintVariables(const dcp::SlaveDescription& slave) {
  std::size_t widest = 4;
  for (const dcp::Variable& one : slave.variables) widest = std::clamp(one.name.size(), widest, std::size_t{40});
  if (!slave.variables.empty()) {
    PrintLine(stdout, fmt::format("\n{:<{}}  {:>6}  {:<12}  {:<19}  {:<10}  {:<8}  {:<12}  description", "name", widest,
                                  "vr", "type", "kind", "variability", "unit", "start"));
  }
  for (const dcp::Variable& one : slave.variables) {
    std::string type = dcp::ElementName(one.Type());
    for (const dcp::Dimension& size : one.dimensions) type += fmt::format("[{}]", size.size);
    const dcp::UnitDefinition* unit = slave.UnitOf(one);
    std::string start = one.start.is_given ? dcp::StartText(one) : std::string("-");
    if (start.size() > 40) start = fmt::format("{} values", one.StartSize());
    PrintLine(stdout,
              PrintableText(fmt::format("{:<{}}  {:>6}  {:<12}  {:<19}  {:<10}  {:<8}  {:<12}  {}", one.name, widest,
                                        one.value_reference, type, dcp::Name(one.kind), dcp::Name(one.variability),
                                        unit == nullptr ? std::string("-") : unit->name, start, one.description)));
  }
}

int Execute(const DcpInfoArguments& arguments) {
  ExpectSlaveDescription(arguments.file);
  Problems problems;
  const dcp::SlaveDescription slave = dcp::LoadSlaveDescription(arguments.file, problems);
  if (arguments.json) {
    Json json = Json::parse(dcp::SlaveJson(slave));
    json["problems"] = ToJson(problems);
    PrintLine(stdout, JsonText(json));
  } else {
    PrintHead(slave);
    PrintVariables(slave);
    PrintProblems(stderr, problems);
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddDcpInfo(CLI::App& dcp, Invocation& invocation) {
  auto arguments = std::make_shared<DcpInfoArguments>();
  CLI::App* info = dcp.add_subcommand("info", "Describe a slave: modes, times, transports, variables");
  info->add_option("FILE", arguments->file, "Slave description (.dcpx), .dcp archive, or the folder of one")
      ->required();
  info->add_flag("--json", arguments->json, "Print JSON with the whole description");
  info->footer(
      "Nothing is sent to the slave.\n\n"
      "Examples:\n"
      "  openmi dcp info tank.dcpx\n"
      "  openmi dcp info tank.dcp --json | jq '.variables[].name'");
  info->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
