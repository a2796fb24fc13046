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

#include "fmi-bridge/dcp/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/transport/Transport.hpp"

namespace openmi::dcp {

/// How a relay is run.
struct RelayOptions {
  TransportProtocol protocol = TransportProtocol::UDP_IPv4;
  /// Where the master finds it in place of the slave: an address of this machine that slave and master reach; port 0:
  /// any free.
  Endpoint listen = {kLoopback, 0};
  Endpoint slave = {};  ///< where the slave takes requests
  /// Shown every PDU as it came.
  std::function<void(bool to_slave, Bytes pdu)> watch = {};
  /// Says when copies of a PDU are passed on: delays in ascending order; none: it is lost. Without: at once.
  std::function<void(bool to_slave, Bytes pdu, std::vector<std::chrono::microseconds>& delays)> meddle = {};
};

/// Stands between a master and a slave and passes on what they say, so that it can be seen.
///
/// Who only listened on a network would need rights and luck; so the master is told to look for the slave at the
/// relay. Data are led through it too: where network information passes, its own address is put in the place of the
/// receiver's. Requests and data of one transport; one slave, one master at a time, one thread.
class Relay {
 public:
  using Clock = Transport::Clock;

  /// \throws FileError  the port is in use
  explicit Relay(RelayOptions options);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// Where the master finds it.
  Endpoint Listening() const { return transport_->Local(control_); }
  /// Passes on until Stop is called.
  /// \throws FileError  TCP: the slave cannot be reached
  void Run();
  /// Lets Run end within 0.1 s. May be called by other threads and from a signal handler.
  void Stop() { must_stop_.store(true, std::memory_order_relaxed); }
  /// One PDU, or what is due.
  /// \returns false when nothing came until `deadline`
  bool Turn(Clock::time_point deadline);

 private:
  /// A place that data go to, and the door they take.
  struct Way {
    Endpoint to;
    Door door = -1;  // -1: not connected yet
  };
  struct Delayed {
    Clock::time_point due;
    std::uint64_t number = 0;  // keeps the order of those that are due together
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
  Door control_ = -1;   // where the master comes in
  Door upstream_ = -1;  // towards the slave
  Endpoint master_;
  Door master_door_ = -1;
  std::map<std::uint16_t, Way> to_slave_;                 // data by id
  std::map<std::uint16_t, std::vector<Way>> from_slave_;  // data by id
  std::map<std::uint16_t, std::uint16_t> slave_ports_;    // by the port that the master sends data to
  std::map<Door, bool> data_doors_;                       // whether what comes in there goes to the slave
  Door data_from_slave_ = -1;
  std::vector<std::byte> bytes_;
  std::vector<std::chrono::microseconds> delays_;
  std::priority_queue<Delayed, std::vector<Delayed>, std::greater<>> delayed_;
  std::uint64_t number_ = 0;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
