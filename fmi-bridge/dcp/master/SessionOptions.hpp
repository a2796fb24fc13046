#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/transport/Endpoint.hpp"

namespace openmi::dcp {

/// What to do when the data of a step did not come.
enum class OnLoss : std::uint8_t {
  Fail,  ///< the step fails and says so
  Hold   ///< the last values stay; counted
};

/// How a master works with one slave.
struct SessionOptions {
  std::string component = {};  ///< for messages
  TransportProtocol control = TransportProtocol::UDP_IPv4;
  TransportProtocol data = TransportProtocol::UDP_IPv4;
  Endpoint slave = {};                     ///< where the slave takes requests
  std::uint16_t slave_data_port = 0;       ///< where it is told to take data; 0: chosen, see ChoosePort
  std::uint16_t slave_parameter_port = 0;  ///< likewise tunable parameters
  Endpoint local = {};                     ///< of this side; address 0: the one that leads to the slave
  std::uint8_t id = 1;                     ///< given to the slave, 1 to 255
  OpMode mode = OpMode::NRT;
  /// The paper's lock-step: no requests in RUNNING; inputs go out, outputs come back, and that is a step. An extension.
  bool is_lock_step = false;
  std::uint32_t numerator = 1;       ///< time resolution in seconds: numerator / denominator
  std::uint32_t denominator = 1000;  ///< see `numerator`
  std::uint32_t steps = 1;           ///< of the time resolution that make a communication step (SRT, HRT, lock-step)
  std::size_t most_in_group = 0;     ///< variables in one data PDU at most; 0: as many as fit
  OnLoss on_loss = OnLoss::Fail;
  std::chrono::milliseconds answer_timeout{500};     ///< for the answer to a request, each time that it is sent
  int tries = 4;                                     ///< how often a request is sent before the slave counts as gone
  std::chrono::milliseconds change_timeout{10'000};  ///< for a change of state outside of steps
  std::chrono::milliseconds step_timeout{60'000};    ///< for a step
  std::chrono::milliseconds data_timeout{1'000};     ///< for data after the slave says that it has sent them
  std::optional<LogLevel> log_level = {};            ///< messages up to it are asked for
  std::function<void(const std::string&)> log = {};  ///< gets them
};

/// What a session saw. Everything since it began.
struct SessionCounts {
  std::uint64_t requests = 0;
  std::uint64_t repeated = 0;  ///< sent again for want of an answer
  std::uint64_t polls = 0;     ///< state asked for because a notification did not come in time
  std::uint64_t data_sent = 0;
  std::uint64_t data_received = 0;
  std::uint64_t data_missed = 0;    ///< outputs passed over by sequence numbers, or never come; inputs_missed
  std::uint64_t inputs_missed = 0;  ///< data PDUs of this side that the slave reports as not come
  std::uint64_t duplicated = 0;
  std::uint64_t late = 0;    ///< older than what had come before: dropped
  std::uint64_t strays = 0;  ///< from elsewhere, unknown, malformed: dropped
  std::uint64_t steps = 0;
  std::uint64_t held = 0;      ///< steps whose outputs stayed what they were
  std::uint64_t overruns = 0;  ///< SRT and HRT: steps that ended after their time
};

/// The port a slave takes data at when nobody says: `preferred` where the description leaves that open or allows it,
/// else one that it offers.
std::uint16_t ChoosePort(const std::optional<DataPorts>& offered, std::uint16_t preferred);

}  // namespace openmi::dcp
