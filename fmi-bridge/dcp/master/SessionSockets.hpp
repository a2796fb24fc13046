#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

namespace openmi::dcp {

/// The sockets between a master and one slave: for requests, and for data, which may take another transport.
///
/// Data are spread over *lanes*: each has a socket of this side for what the slave sends, and a port of the slave for
/// its inputs. The first lane takes the data port, the next ones the other data ports that the description offers, in
/// its order; with more lanes than ports, these are taken again from the first on. Tunable parameters have one port.
class SessionSockets {
 public:
  using Clock = Transport::Clock;

  /// Makes the transports; Open opens the sockets.
  /// \param description  borrowed
  /// \param options  borrowed
  SessionSockets(const SlaveDescription& description, const SessionOptions& options);

  /// Opens the sockets for requests and for what the slave sends, unless they are open.
  /// \throws FileError  no port of this machine is free
  /// \throws ModelError  TCP: the slave cannot be reached
  void Open();
  /// TCP: connects with the port where the slave receives inputs of a lane or tunable parameters, unless that has been
  /// done.
  /// \throws ModelError  the slave cannot be reached
  void ConnectData(bool are_parameters, std::size_t lane);
  std::size_t Lanes() const { return data_in_.size(); }
  void Close() noexcept;
  bool IsOpen() const { return is_open_; }

  void SendRequest(ByteView pdu) { transports_.front()->Send(control_, options_.slave, pdu); }
  /// \returns false when the PDU could not be sent
  bool SendData(bool are_parameters, std::size_t lane, ByteView pdu) {
    return transports_.back()->Send(are_parameters ? parameters_out_ : data_out_[lane], PlaceOf(are_parameters, lane),
                                    pdu);
  }
  /// Takes the next arrival of any socket.
  /// \returns false at the deadline
  bool Receive(Arrival& arrival, Clock::time_point deadline);
  /// Marks the sender of data as known.
  void Admit(const Arrival& arrival) { transports_.back()->Admit(arrival.socket, arrival.from); }

  /// Whether `arrival` ends the connection for requests.
  bool IsEndOfRequests(const Arrival& arrival) const {
    return arrival.is_end && arrival.socket == control_ && options_.control == TransportProtocol::TCP_IPv4;
  }
  /// UDP: how often the operating system reported that no program is at the slave's port.
  std::uint64_t Unheard() const { return transports_.front()->Counts().unheard; }
  /// Where the slave receives inputs of a lane or tunable parameters.
  Endpoint PlaceOf(bool are_parameters, std::size_t lane) const {
    return {options_.slave.address, are_parameters ? options_.slave_parameter_port : data_ports_[lane]};
  }
  /// Where this side receives data of a lane.
  /// \pre IsOpen()
  Endpoint Here(std::size_t lane) const {
    return {options_.local.address, transports_.back()->Local(data_in_[lane]).port};
  }
  /// The most bytes that a data PDU may have.
  std::size_t MostBytes() const;
  /// The transports whose PDUs may be held back and sent together. With two transports one would overtake the other.
  std::span<Transport* const> Together() const {
    return transports_.size() == 1 ? std::span<Transport* const>(transports_) : std::span<Transport* const>();
  }

 private:
  SocketId Reach(Transport& transport, Endpoint to) const;

  const SlaveDescription& description_;
  const SessionOptions& options_;
  std::vector<std::unique_ptr<Transport>> owned_;
  std::vector<Transport*> transports_;  // of requests, and of data where they have another one
  SocketId control_ = -1;
  std::vector<SocketId> data_in_;          // by lane
  std::vector<SocketId> data_out_;         // by lane
  std::vector<std::uint16_t> data_ports_;  // of the slave, by lane
  SocketId parameters_out_ = -1;
  bool is_open_ = false;
};

}  // namespace openmi::dcp
