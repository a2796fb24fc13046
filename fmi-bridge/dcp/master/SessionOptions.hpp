#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/protocol/transport/Endpoint.hpp"

namespace openmi::dcp {

/// What a master does when the data of a step do not arrive.
enum class OnLoss : std::uint8_t {
  Fail,  ///< the step fails with an error
  Hold   ///< the last values stay; the step is counted
};

/// Takes a line of a log.
using LogSink = std::function<void(const std::string&)>;

/// How a master works with one slave.
struct SessionOptions {
  std::string component = {};  ///< name of the component, for messages
  TransportProtocol control = TransportProtocol::UDP_IPv4;
  TransportProtocol data = TransportProtocol::UDP_IPv4;
  Endpoint slave = {};                     ///< where the slave receives requests
  std::uint16_t slave_data_port = 0;       ///< where the slave is configured to receive data; 0: see ChoosePort
  std::uint16_t slave_parameter_port = 0;  ///< likewise for tunable parameters
  Endpoint local = {};                     ///< address of this side; address 0: the one that leads to the slave
  std::uint16_t data_sockets = 1;          ///< sockets that the data PDUs are spread over, see SessionSockets
  std::uint8_t id = 1;                     ///< the id given to the slave, 1 to 255
  OpMode mode = OpMode::NRT;
  /// An extension of DCP 1.0: no requests in RUNNING; a step is made of inputs sent and outputs received.
  bool is_lock_step = false;
  std::uint32_t numerator = 1;       ///< time resolution in seconds: numerator / denominator
  std::uint32_t denominator = 1000;  ///< see `numerator`
  std::uint32_t steps = 1;           ///< communication step as a multiple of the time resolution (SRT, HRT, lock-step)
  std::size_t most_in_group = 0;     ///< most variables in one data PDU; 0: as many as fit
  OnLoss on_loss = OnLoss::Fail;
  std::chrono::milliseconds answer_timeout{500};     ///< for the answer to a request, each time it is sent
  int tries = 4;                                     ///< how often a request is sent before the slave counts as gone
  std::chrono::milliseconds change_timeout{10'000};  ///< for a change of state outside steps
  std::chrono::milliseconds step_timeout{60'000};    ///< for a step
  std::chrono::milliseconds data_timeout{1'000};     ///< for data, after the slave has reported that it sent them
  std::optional<LogLevel> log_level = {};            ///< messages up to this level are requested; nothing: none
  LogSink log = {};                                  ///< called with each message
};

/// What a session has counted since it was made.
struct SessionCounts {
  std::uint64_t requests = 0;
  std::uint64_t repeated = 0;  ///< requests sent again because no answer arrived
  std::uint64_t data_sent = 0;
  std::uint64_t data_received = 0;
  std::uint64_t data_missed = 0;    ///< output data PDUs skipped by sequence numbers or never received
  std::uint64_t inputs_missed = 0;  ///< input data PDUs that the slave reports as missing
  std::uint64_t duplicated = 0;
  std::uint64_t late = 0;    ///< older than data received before; dropped
  std::uint64_t strays = 0;  ///< from another sender, unknown or malformed; dropped
  std::uint64_t steps = 0;
  std::uint64_t held = 0;      ///< steps whose outputs kept their last values
  std::uint64_t overruns = 0;  ///< SRT and HRT: steps that ended late
};

}  // namespace openmi::dcp
