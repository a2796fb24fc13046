#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "fmi-bridge/dcp/slave/SlaveReports.hpp"

namespace openmi::dcp {

/// The other side of an exchange of PDUs.
struct Peer {
  Transport* transport = nullptr;
  SocketId socket = 0;
  Endpoint at;
  bool operator==(const Peer&) const = default;
};

/// The sockets of a slave: where masters reach it, and where data arrive and leave during an experiment.
class SlaveSockets {
 public:
  using Clock = Transport::Clock;

  /// Opens the control ports.
  /// \param options  borrowed
  /// \param reports  borrowed
  /// \throws FileError  a port is in use
  /// \throws ArgumentError  a host is unknown, or the description has no transport
  SlaveSockets(const SlaveDescription& description, const SlaveOptions& options, const SlaveReports& reports);

  /// The address and port where masters reach the slave.
  /// \pre The description has the transport.
  Endpoint Control(TransportProtocol protocol) const;
  /// All transports.
  std::span<Transport* const> All() const { return transports_; }
  /// Lets the transports hold back what is sent, or send it, see Transport::Hold.
  void Hold() const {
    for (Transport* one : transports_) one->Hold();
  }
  void Release() const {
    for (Transport* one : transports_) one->Release();
  }
  /// PDUs that could not be sent.
  std::uint64_t Unsent() const;
  /// Reports when the system has no room for another connection.
  void ReportStarvation();

  /// Whether data may be sent to a host, or taken from it: it is the master's or a listed one.
  /// \param master  address of the master
  bool IsForData(std::uint32_t host, std::uint32_t master) const;
  /// Whether data may be sent to or received at what a master names. Reports what is refused.
  bool Accepts(const CfgNetworkInformation& pdu, std::uint32_t master) const;
  /// Opens the ports of inputs and parameters.
  /// \returns whether there are others than the control ports
  /// \throws FileError  a port is in use
  bool OpenInputs(const SlaveConfiguration& configuration);
  /// The peer at a target of data. One connection carries all data to one address.
  /// \throws FileError  the target cannot be reached within 5 s of `begin`
  Peer Connect(const NetworkPlace& target, Clock::time_point begin);
  /// Receives only from the transports that an experiment needs; from the others now and then.
  void Choose(const SlaveConfiguration& configuration, Transport* master);
  /// Receives from all transports again.
  void ChooseAll() { active_ = transports_; }
  /// Closes the ports and connections for data.
  void CloseData();

  /// Takes what has arrived at the transports of the experiment.
  /// \returns the sender; nothing at the deadline
  std::optional<Peer> Receive(Arrival& arrival, Clock::time_point deadline) {
    return ReceiveAt(active_, arrival, deadline);
  }
  /// Takes what has arrived at any transport. Does not wait.
  std::optional<Peer> ReceiveAtAny(Arrival& arrival) { return ReceiveAt(transports_, arrival, {}); }
  /// Likewise, now and then, where the experiment does not need all transports.
  std::optional<Peer> ReceiveAtOthers(Arrival& arrival, Clock::time_point now);

 private:
  void OpenControl(std::unique_ptr<Transport> transport, std::uint16_t port);
  Transport* Of(TransportProtocol protocol) const;
  static std::optional<Peer> ReceiveAt(std::span<Transport* const> transports, Arrival& arrival,
                                       Clock::time_point deadline);

  const SlaveOptions& options_;
  const SlaveReports& reports_;
  std::uint32_t host_;
  std::vector<std::uint32_t> data_hosts_;
  std::vector<std::unique_ptr<Transport>> owned_;
  std::vector<Transport*> transports_;
  std::vector<Transport*> active_;  // those of this experiment; the others are read now and then
  Clock::time_point next_look_;
  std::vector<Peer> controls_;      // sockets, without a peer
  std::vector<Peer> data_sockets_;  // sockets, and connections with a peer
  std::uint64_t starved_ = 0;       // of all transports, as last reported
};

}  // namespace openmi::dcp
