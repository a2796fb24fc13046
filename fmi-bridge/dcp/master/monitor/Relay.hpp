#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

namespace openmi::dcp {

/// How a relay is run.
struct RelayOptions {
  TransportProtocol protocol = TransportProtocol::UDP_IPv4;
  /// Where the master connects instead of the slave: an address of this machine that slave and master can reach; port
  /// 0: any free port.
  Endpoint listen = {kLoopback, 0};
  Endpoint slave = {};  ///< where the slave receives requests
  /// Called with every PDU as it arrived.
  std::function<void(bool to_slave, Bytes pdu)> watch = {};
  /// Sets when copies of a PDU are passed on: one delay per copy; none: the PDU is lost. Without it each PDU is passed
  /// on at once.
  std::function<void(bool to_slave, Bytes pdu, std::vector<std::chrono::microseconds>& delays)> meddle = {};
};

/// Passes PDUs between a master and a slave, so that they can be shown.
///
/// The master is configured with the relay's address instead of the slave's, because listening on a network needs
/// privileges and may miss packets. Data pass through the relay too: in network information it replaces the receiver's
/// address by its own. It relays requests and data of one transport, for one slave and one master at a time, in one
/// thread.
class Relay {
 public:
  using Clock = Transport::Clock;

  /// \throws FileError  the port is in use
  explicit Relay(RelayOptions options);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// The address and port for the master.
  Endpoint Listening() const { return transport_->Local(control_); }
  /// Relays until Stop is called.
  /// \throws FileError  TCP: the slave cannot be reached; a port for data is in use
  void Run();
  /// Ends Run within 0.1 s. May be called by other threads and from a signal handler.
  void Stop() { must_stop_.store(true, std::memory_order_relaxed); }
  /// Relays one PDU, or those that are due.
  /// \returns false when nothing arrived until `deadline`
  bool Turn(Clock::time_point deadline);

 private:
  /// A receiver of data, and the socket that leads to it.
  struct Way {
    Endpoint to;
    Door door = -1;  // -1: not connected yet
  };
  struct Delayed {
    Clock::time_point due;
    std::uint64_t number = 0;  // keeps the order of PDUs that are due at the same time
    bool is_data = false;
    bool to_slave = false;
    Endpoint to;
    std::uint16_t id = 0;
    std::vector<std::byte> bytes;
    bool operator>(const Delayed& other) const { return due != other.due ? due > other.due : number > other.number; }
  };

  void TakeFromMaster(const Arrival& arrival);
  void TakeFromSlave(const Arrival& arrival);
  void TakeData(const Arrival& arrival, bool to_slave);
  void Rewrite(std::vector<std::byte>& bytes);
  void Pass(bool to_slave, bool is_data, std::uint16_t id, Bytes pdu);
  void Deliver(const Delayed& pdu);
  void ForwardData(bool to_slave, std::uint16_t id, Bytes pdu);
  void PassDue();
  void ForgetWays();

  RelayOptions options_;
  std::unique_ptr<Transport> transport_;
  Door control_ = -1;   // where the master's PDUs arrive
  Door upstream_ = -1;  // towards the slave
  Endpoint master_;
  Door master_door_ = -1;
  std::map<std::uint16_t, Way> to_slave_;                 // data by id
  std::map<std::uint16_t, std::vector<Way>> from_slave_;  // data by id
  std::map<std::uint16_t, std::uint16_t> slave_ports_;    // by the port that the master sends data to
  std::map<Door, bool> data_doors_;                       // whether data that arrive there go to the slave
  Door data_from_slave_ = -1;
  std::vector<std::byte> bytes_;
  std::vector<std::chrono::microseconds> delays_;
  std::priority_queue<Delayed, std::vector<Delayed>, std::greater<>> delayed_;
  std::uint64_t number_ = 0;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
