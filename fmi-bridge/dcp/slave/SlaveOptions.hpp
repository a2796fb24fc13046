#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

namespace openmi::dcp {

/// How a slave is run.
struct SlaveOptions {
  /// Address of this machine where the slave listens. Other machines can reach it only when this is not the loopback.
  std::string host = "127.0.0.1";
  /// 0: any free port; nothing: that of the description, else any free port
  std::optional<std::uint16_t> udp_port = {};
  /// Likewise for TCP. Where the port may be any, it is that of UDP if it is free. A transport that the description
  /// lacks is not opened.
  std::optional<std::uint16_t> tcp_port = {};
  /// Hosts other than the master's that data may be sent to and taken from. Without the list a program could make the
  /// slave send data to any third host.
  std::vector<std::string> data_hosts = {};
  /// An extension of DCP 1.0: in RUNNING (SRT) the slave makes a step when every input group has brought new data, not
  /// when the clock reaches the next step.
  bool is_lock_step = false;
  /// In soft real time, lost data are only counted and reported, whatever the description's maxConsecMissedPdus states.
  bool bears_loss_in_soft_real_time = false;
  /// Masters are supervised only where they send a heartbeat, see SlaveMachine::SuperviseOnlyWhoBeats.
  bool supervises_only_who_beats = false;
  /// A master that has registered and then requested nothing for this long is replaced by the next that registers.
  std::chrono::milliseconds longest_idle_registration{10'000};
  /// UDP: where the master is silent for this long, the slave sends it its state now and then. If the master's host
  /// reports that no program is at the port, the master is gone.
  std::chrono::milliseconds looks_after_silence{10'000};
  /// For masters that restart the numbers of their requests after CFG_clear and STC_reset, see
  /// SlaveMachine::AllowRestartedNumbers.
  bool allows_restarted_numbers = false;
  bool is_once = false;  ///< Run ends when a master has deregistered
  /// Called with each message for the operator; one line each.
  std::function<void(const std::string&)> show = {};
  /// Called with every PDU received or sent, and with the address of the other side.
  std::function<void(bool is_sent, Endpoint peer, ByteView pdu)> watch = {};
  /// The file that every exchange is written to, see ExchangeLog; empty: none. Each experiment overwrites it.
  std::string exchange_log = {};
  /// Further transports, borrowed. The runner makes those of UDP and TCP itself.
  std::vector<Transport*> transports = {};
};

}  // namespace openmi::dcp
