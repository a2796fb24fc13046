#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/outward/ExportInterface.hpp"

namespace openmi::dcp {

/// What the description of a served model says beyond its variables.
struct DescribeOptions {
  std::string host = "127.0.0.1";     ///< stated as that of the control ports
  std::optional<std::uint16_t> port;  ///< of both transports; nothing: left to who starts it
  bool has_udp = true;
  bool has_tcp = true;
  /// The only one that is allowed; nothing: any of 1 to a million 1/1, 1/10 ... 1/10^9 s, and recommended is the
  /// coarsest of 1 ms, 1 us, 1 ns that counts the step exactly.
  std::optional<Resolution> resolution = {};
  /// maxConsecMissedPdus of each input: how many data PDUs in a row may be lost; nothing: any number
  std::optional<std::uint32_t> most_missed_inputs = 0;
  std::optional<double> heartbeat_seconds = {};  ///< supervise the master: at most so long without a sign of life
};

/// A slave description of a component or composition: inputs, outputs, and arguments as fixed parameters, with units;
/// all three operating modes. The UUID follows from the content, so that it is the same each time.
SlaveDescription DescribeModel(const outward::ExportInterface& interface, const DescribeOptions& options);

}  // namespace openmi::dcp
