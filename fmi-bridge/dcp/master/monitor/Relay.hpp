#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
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
  std::function<void(bool to_slave, ByteView pdu)> watch = {};
  /// Sets when copies of a PDU are passed on: one delay per copy; none: the PDU is lost. Without it each PDU is passed
  /// on at once.
  std::function<void(bool to_slave, ByteView pdu, std::vector<std::chrono::microseconds>& delays)> meddle = {};
};

/// Where a relay passes data on to, as the master's requests have configured it.
class DataRoutes {
 public:
  /// \param transport  borrowed
  /// \param options  borrowed
  DataRoutes(Transport& transport, const RelayOptions& options) : transport_(transport), options_(options) {}

  /// Drops what an earlier session configured.
  void Clear();
  /// Replaces the receiver's address in network information by that of the relay, and records where the data go.
  /// \param port  where the relay receives requests
  void Rewrite(Bytes& request, std::uint16_t port);
  /// Whether data that arrive at a socket go to the slave; nothing where it is no socket for data.
  std::optional<bool> DirectionOf(SocketId socket) const;
  /// Passes data on.
  /// \param from  UDP: the socket that sends
  void Forward(bool to_slave, std::uint16_t id, ByteView pdu, SocketId from);

 private:
  /// A receiver of data, and the socket that leads to it.
  struct Way {
    Endpoint to;
    SocketId socket = -1;  // -1: not connected yet
  };

  Transport& transport_;
  const RelayOptions& options_;
  std::map<std::uint16_t, std::vector<Way>> to_slave_;    // by data id
  std::map<std::uint16_t, std::vector<Way>> from_slave_;  // by data id
  std::map<std::uint16_t, std::uint16_t> slave_ports_;    // by the port that the master sends data to
  std::map<SocketId, bool> sockets_;                      // whether data that arrive there go to the slave
  SocketId from_slave_socket_ = -1;
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
  struct Delayed {
    Clock::time_point due;
    std::uint64_t number = 0;  // keeps the order of PDUs that are due at the same time
    bool to_slave = false;
    Bytes bytes;
    bool operator>(const Delayed& other) const { return due != other.due ? due > other.due : number > other.number; }
  };

  void TakeFromMaster(const Arrival& arrival);
  void Pass(bool to_slave, ByteView pdu);
  void Deliver(bool to_slave, ByteView pdu);
  void PassDue();

  RelayOptions options_;
  std::unique_ptr<Transport> transport_;
  DataRoutes routes_;
  SocketId control_ = -1;   // where the master's PDUs arrive
  SocketId upstream_ = -1;  // towards the slave
  Endpoint master_;
  SocketId master_socket_ = -1;
  Bytes bytes_;
  std::vector<std::chrono::microseconds> delays_;
  std::priority_queue<Delayed, std::vector<Delayed>, std::greater<>> delayed_;
  std::uint64_t number_ = 0;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
