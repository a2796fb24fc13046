#pragma once

#include <chrono>
#include <optional>

#include "fmi-bridge/dcp/pdu/Codes.hpp"
#include "fmi-bridge/dcp/transport/Endpoint.hpp"

namespace openmi::dcp {

/// What a slave said to a question for its state.
struct PingAnswer {
  State state = State::ALIVE;
  std::chrono::microseconds round_trip{0};
};

/// Asks a slave for its state without registering. In ALIVE every slave answers; one that serves a master may leave the
/// question of another unanswered.
/// \param id  that the slave is addressed by, 1 to 255
/// \returns nothing when no answer came until `timeout`
/// \throws FileError  TCP: it cannot be reached
std::optional<PingAnswer> Ping(TransportProtocol protocol, Endpoint slave, std::uint8_t id,
                               std::chrono::milliseconds timeout);

}  // namespace openmi::dcp
