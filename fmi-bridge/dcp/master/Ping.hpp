#pragma once

#include <chrono>
#include <optional>

#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"
#include "fmi-bridge/dcp/protocol/transport/Endpoint.hpp"

namespace openmi::dcp {

/// A slave's answer to a request for its state.
struct PingAnswer {
  State state = State::ALIVE;
  std::chrono::microseconds round_trip{0};
};

/// Asks a slave for its state without registering.
///
/// In ALIVE every slave answers. A slave that already has a master may leave the request unanswered.
/// \param id  the slave's id in the request, 1 to 255
/// \returns nothing when no answer arrived within `timeout`
/// \throws FileError  TCP: the slave cannot be reached
std::optional<PingAnswer> Ping(TransportProtocol protocol, Endpoint slave, std::uint8_t id,
                               std::chrono::milliseconds timeout);

}  // namespace openmi::dcp
