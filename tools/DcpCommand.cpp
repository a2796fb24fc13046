#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandPart.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

void AddDcp(CLI::App& app, Invocation& invocation) {
  CLI::App* dcp = app.add_subcommand("dcp", "Work with DCP slaves: simulators and machines on a network");
  dcp->require_subcommand(1);
  AddDcpInfo(*dcp, invocation);
  AddDcpCheck(*dcp, invocation);
  AddDcpPing(*dcp, invocation);
  AddDcpMonitor(*dcp, invocation);
  AddDcpServe(*dcp, invocation);
  dcp->footer(
      "Examples:\n"
      "  openmi dcp info tank.dcpx\n"
      "  openmi dcp check tank.dcpx\n"
      "  openmi dcp serve upper-creek.xml --port 8080 --describe upper-creek.dcpx\n"
      "  openmi dcp ping 127.0.0.1:8080\n"
      "  openmi dcp monitor 127.0.0.1:8080 --listen 127.0.0.1:9090");
}

}  // namespace

extern "C" {
extern const CommandPart openmi_command_part;
const CommandPart openmi_command_part = {kSdkVersion, AddDcp, nullptr};
}

}  // namespace openmi::tools
