#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/export/ExportInterface.hpp"

namespace openmi::dcp {

/// What the description of a served model states besides its variables.
struct DescribeOptions {
  std::string host = "127.0.0.1";     ///< stated as host of the control ports
  std::optional<std::uint16_t> port;  ///< of both transports; nothing: the starter of the slave chooses
  bool has_udp = true;
  bool has_tcp = true;
  /// The only resolution that is allowed.
  ///
  /// Nothing: numerators 1 to 1 000 000 over denominators 1, 10 ... 10^9 s are allowed. The recommended one is then the
  /// coarsest of 1 ms, 1 us, 1 ns that counts the step exactly.
  std::optional<Resolution> resolution = {};
  /// maxConsecMissedPdus of each input: how many data PDUs in a row may be lost; nothing: any number.
  std::optional<std::uint32_t> most_missed_inputs = 0;
  /// interval in which the master must send a heartbeat; nothing: no supervision
  std::optional<double> heartbeat_seconds = {};
};

/// Makes a slave description of a component or composition.
///
/// Its variables are the inputs, the outputs, and the arguments as fixed parameters, with units. It supports all three
/// operating modes. The UUID is computed from the content, so the same model always has the same UUID.
SlaveDescription DescribeModel(const exported::ExportInterface& interface, const DescribeOptions& options);

}  // namespace openmi::dcp
