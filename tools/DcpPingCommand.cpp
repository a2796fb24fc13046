#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "fmi-bridge/dcp/master/Ping.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct DcpPingArguments {
  std::string slave;
  bool tcp = false;
  int count = 1;
  int id = 1;
  double timeout = 1.0;
  bool json = false;
};

int Execute(const DcpPingArguments& arguments) {
  const auto protocol = arguments.tcp ? dcp::TransportProtocol::TCP_IPv4 : dcp::TransportProtocol::UDP_IPv4;
  const dcp::Endpoint slave = dcp::ResolveSlave(arguments.slave);
  int answers = 0;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (int i = 0; i < arguments.count; ++i) {
    const auto answer = dcp::Ping(protocol, slave, static_cast<std::uint8_t>(arguments.id),
                                  std::chrono::milliseconds(static_cast<int>(arguments.timeout * 1000.0)));
    if (answer) ++answers;
    if (arguments.json) {
      if (answer) {
        all.push_back({{"state", dcp::NameOf(answer->state)}, {"microseconds", answer->round_trip.count()}});
      } else {
        all.push_back(nullptr);
      }
    } else if (answer) {
      PrintLine(stdout, fmt::format("{}: {} in {:.3f} ms", dcp::ToText(slave), dcp::NameOf(answer->state),
                                    static_cast<double>(answer->round_trip.count()) / 1000.0));
    } else {
      PrintLine(
          stdout,
          fmt::format(
              "{}: no answer within {} s; no slave listens there, or the slave has a master and answers only that one",
              dcp::ToText(slave), arguments.timeout));
    }
  }
  if (arguments.json) PrintLine(stdout, JsonText({{"slave", dcp::ToText(slave)}, {"answers", all}}));
  return answers == arguments.count ? kSuccess : kProblemsFound;
}

}  // namespace

void AddDcpPing(CLI::App& dcp, Invocation& invocation) {
  auto arguments = std::make_shared<DcpPingArguments>();
  CLI::App* ping = dcp.add_subcommand("ping", "Ask a slave for its state");
  ping->add_option("SLAVE", arguments->slave, "Host and port, as 127.0.0.1:8080")->required();
  ping->add_flag("--tcp", arguments->tcp, "Over TCP (default: UDP)");
  AddValue(*ping, "--count", arguments->count, "N", "Number of requests")
      ->check(CLI::Range(1, 1'000'000).description(""));
  AddValue(*ping, "--id", arguments->id, "N", "Id of the slave")->check(CLI::Range(1, 255).description(""));
  AddValue(*ping, "--timeout", arguments->timeout, "SECONDS", "Seconds to wait for each answer")
      ->check(CLI::Range(0.001, 3600.0).description(""));
  ping->add_flag("--json", arguments->json, "Print JSON");
  ping->footer(
      "The command does not register the slave and changes nothing in it.\n\n"
      "Examples:\n"
      "  openmi dcp ping 127.0.0.1:8080\n"
      "  openmi dcp ping bench-2:8080 --tcp --count 5");
  ping->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
