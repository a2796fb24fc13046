#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "fmi-bridge/dcp/protocol/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/protocol/transport/Endpoint.hpp"

namespace openmi::dcp {

/// The number of a socket of a Transport. UDP: a datagram socket; TCP: a listener, or a connection that this side
/// opened.
using SocketId = int;

/// A PDU, or the end of a connection.
struct Arrival {
  ByteView pdu;         ///< without the frame of the transport; valid until the next Receive; empty: see `is_end`
  Endpoint from;        ///< the sender
  SocketId socket = 0;  ///< the socket where it arrived
  /// TCP: whether the connection with `from` has ended. It was closed, it broke, or this side closed it because the
  /// peer sent invalid bytes or stopped reading. Nothing more arrives from `from`.
  bool is_end = false;
};

struct TransportCounts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t unsent = 0;     ///< PDUs without a connection, or without memory left in the operating system
  std::uint64_t oversized = 0;  ///< PDUs above the largest size: dropped (UDP), or the end of a connection (TCP)
  std::uint64_t refused = 0;    ///< TCP: connections that were ended or not accepted, to bound their number and memory
  /// TCP: how often the operating system had no resources for a connection, so that accepting paused
  std::uint64_t starved = 0;
  /// UDP: how often the operating system reported that no program is at the port of a preferred peer
  std::uint64_t unheard = 0;
};

/// Transports the bytes of PDUs.
///
/// One object serves any number of sockets with one epoll descriptor. It has no thread, and allocates nothing per PDU
/// once each connection has received its largest one. It is not for several threads at once.
///
/// To add a transport, derive from this class, return the number that the specification gives to the transport from
/// Protocol, and pass the object to a slave in `SlaveOptions::transports`. An address of the transport has to fit into
/// an Endpoint; a point-to-point transport (RFCOMM, USB) can number its peers. Descriptor must be readable when there
/// is something to receive.
class Transport {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Transport();
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual TransportProtocol Protocol() const = 0;
  /// The largest PDU that it can carry, in bytes.
  virtual std::size_t MaxPduSize() const = 0;

  /// Opens a socket for receiving. UDP: binds, and joins the group of a multicast address; TCP: binds and listens.
  /// \param local  port 0: any free port; address 0: any of this machine
  /// \throws FileError  the port is in use, or the address is not of this machine; names both
  virtual SocketId Open(Endpoint local) = 0;
  /// Prepares to send to `to`. UDP: does nothing and returns `from`. TCP: connects; what the other side sends back
  /// arrives at the socket returned.
  /// \throws FileError  the connection is refused, `to` is unreachable, or `deadline` has passed
  virtual SocketId Connect(SocketId from, Endpoint to, Clock::time_point deadline) = 0;
  /// The address and port of a socket.
  virtual Endpoint Local(SocketId socket) const = 0;
  /// Closes a socket and the connections accepted by it. What it has sent is still delivered.
  virtual void Close(SocketId socket) = 0;
  /// Ends the connection with `peer` at `socket`. UDP: does nothing.
  virtual void Disconnect(SocketId socket, Endpoint peer) = 0;
  /// A hint that most of the traffic of `socket` is with `peer`, so that the transport may speed it up. Other peers are
  /// served as before. UDP: `peer` gets a separate socket, so that the operating system need not find the route each
  /// time.
  virtual void Prefer(SocketId socket, Endpoint peer);
  /// Marks `peer` as known.
  ///
  /// Its connection is not ended in favour of others, and may hold as many bytes as its PDUs have. Accepted connections
  /// that are not admitted share a bounded memory; where there are too many, the oldest of them ends. UDP: does
  /// nothing.
  virtual void Admit(SocketId socket, Endpoint peer);

  /// Sends a PDU from `socket` to `to`. Never waits.
  ///
  /// TCP: what the other side does not read in time is kept up to a bound; above it the connection is ended.
  /// \returns false when the PDU could not be sent (counted as `unsent`)
  virtual bool Send(SocketId socket, Endpoint to, ByteView pdu) = 0;
  /// Allows the transport to hold back what is sent, so that it leaves together. Ends with Release, or with a Receive
  /// that waits.
  virtual void Hold();
  /// Sends what was held back.
  /// \returns false when some of it could not be sent (counted as `unsent`)
  virtual bool Release();
  /// Takes what has arrived, or waits for it until `deadline`. With a deadline in the past it does not wait.
  /// \returns false at the deadline
  virtual bool Receive(Arrival& arrival, Clock::time_point deadline) = 0;
  /// A descriptor for poll and epoll; readable when Receive may have something.
  virtual int Descriptor() = 0;
  /// Whether something has already been read, so that Receive needs no system call.
  virtual bool HasBuffered() const = 0;

  const TransportCounts& Counts() const { return counts_; }

 protected:
  TransportCounts counts_;
};

/// Holds back what is sent by some transports during its lifetime; the destructor sends it.
class SentTogether {
 public:
  /// \param transports  borrowed
  explicit SentTogether(std::span<Transport* const> transports);
  ~SentTogether() { Release(); }
  SentTogether(const SentTogether&) = delete;
  SentTogether& operator=(const SentTogether&) = delete;
  void Hold();
  void Release();

 private:
  std::span<Transport* const> transports_;
};

/// Takes the next arrival of several transports, in turn. Only the first 8 transports are read.
/// \returns the position of the transport, or -1 at the deadline
int ReceiveAny(std::span<Transport* const> transports, Arrival& arrival, Transport::Clock::time_point deadline);

/// A transport over UDP_IPv4.
/// \param max_pdu_size  bytes, at most 65 507
std::unique_ptr<Transport> MakeUdpTransport(std::size_t max_pdu_size = 65'507);
/// A transport over TCP_IPv4.
/// \param max_pdu_size  bytes; a longer PDU ends the connection that it comes from
/// \param max_connections  accepted by all sockets together, see Transport::Admit
std::unique_ptr<Transport> MakeTcpTransport(std::size_t max_pdu_size = std::size_t{16} << 20,
                                            std::size_t max_connections = 256);

}  // namespace openmi::dcp
