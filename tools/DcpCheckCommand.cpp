#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "tools/CheckDescription.hpp"

namespace openmi::tools {

void AddDcpCheck(CLI::App& dcp, Invocation& invocation) {
  AddDescriptionCheck(
      dcp, invocation,
      {.purpose = "Find all problems of a slave description",
       .file = "Slave description (.dcpx), .dcp archive, or the folder of one",
       .footer = "Nothing is sent to the slave.\n\n"
                 "Examples:\n"
                 "  openmi dcp check tank.dcpx\n"
                 "  openmi dcp check tank.dcp --json | jq '.problems[].problem'",
       .find = [](const std::string& file, Problems& problems) { dcp::LoadSlaveDescription(file, problems); },
       .expect = ExpectSlaveDescription});
}

}  // namespace openmi::tools
