#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "fmi-bridge/dcp/master/monitor/PduDescriber.hpp"
#include "fmi-bridge/dcp/master/monitor/Relay.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Signals.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct DcpMonitorArguments {
  std::string slave;
  std::string listen = "127.0.0.1:0";
  std::string description;
  bool tcp = false;
};

int Execute(const DcpMonitorArguments& arguments) {
  dcp::SlaveDescription description;
  if (!arguments.description.empty()) {
    ExpectFile(arguments.description);
    Problems problems;
    description = dcp::LoadSlaveDescription(arguments.description, problems);
    PrintProblems(stderr, problems);
  }
  dcp::PduDescriber text(arguments.description.empty() ? nullptr : &description);
  dcp::RelayOptions options;
  options.protocol = arguments.tcp ? dcp::TransportProtocol::TCP_IPv4 : dcp::TransportProtocol::UDP_IPv4;
  options.slave = dcp::ResolveSlave(arguments.slave);
  options.listen = dcp::ResolveEndpoint(arguments.listen);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t count = 0;
  options.watch = [&](bool to_slave, ByteView pdu) {
    ++count;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    PrintLine(stdout, PrintableText(fmt::format("{:12.6f} {} {}", seconds,
                                                to_slave ? "master -> slave" : "slave -> master", text.Describe(pdu))));
    std::fflush(stdout);
  };
  dcp::Relay relay(std::move(options));
  PrintLine(stderr, fmt::format("give the master the address {} ({}); its messages are forwarded to {}",
                                dcp::ToText(relay.Listening()), arguments.tcp ? "TCP" : "UDP", arguments.slave));
  {
    const Interrupt interrupt(relay);
    relay.Run();
  }
  PrintLine(stderr, fmt::format("{} PDUs", count));
  return kSuccess;
}

}  // namespace

void AddDcpMonitor(CLI::App& dcp, Invocation& invocation) {
  auto arguments = std::make_shared<DcpMonitorArguments>();
  CLI::App* monitor = dcp.add_subcommand("monitor", "Show the messages between a master and a slave");
  monitor->add_option("SLAVE", arguments->slave, "Host and port of the slave, as 127.0.0.1:8080")->required();
  AddValue(*monitor, "--listen", arguments->listen, "HOST:PORT",
           "Address of this machine that the master uses in place of the slave's");
  AddValue(*monitor, "--description", arguments->description, "FILE",
           "Slave description, to show values with their names");
  monitor->add_flag("--tcp", arguments->tcp, "Requests and data over TCP (default: UDP)");
  monitor->footer(
      "The monitor forwards all requests and data: start it, then give the master its address in place of the slave's. "
      "Ctrl-C ends the monitor; over TCP this also ends the session.\n\n"
      "Examples:\n"
      "  openmi dcp monitor 127.0.0.1:8080 --listen 127.0.0.1:9090 --description tank.dcpx\n"
      "  openmi dcp monitor bench-2:8080 --tcp --listen 192.168.0.5:9090");
  monitor->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
