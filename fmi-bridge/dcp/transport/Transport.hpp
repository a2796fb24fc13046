#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "fmi-bridge/dcp/pdu/Pdu.hpp"
#include "fmi-bridge/dcp/transport/Endpoint.hpp"

namespace openmi::dcp {

/// A number for a place where PDUs arrive and leave; UDP: a socket, TCP: a listener or a connection made by this side.
using Door = int;

/// Something that arrived.
struct Arrival {
  Bytes pdu;      ///< without the frame of the transport; good until the next Receive; empty: see `is_end`
  Endpoint from;  ///< who sent it
  Door door = 0;  ///< where it came in
  /// TCP: the connection with `from` is over (it closed, broke, or was closed here because it sent nonsense or stopped
  /// reading). Nothing more comes from there.
  bool is_end = false;
};

struct TransportCounts {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t unsent = 0;     ///< no connection, or no room left at the system
  std::uint64_t oversized = 0;  ///< beyond the largest PDU, dropped (UDP) or the end of a connection (TCP)
  std::uint64_t refused = 0;    ///< TCP: connections that were ended, or not taken, to keep number and memory bounded
  std::uint64_t starved = 0;    ///< TCP: times that the system had no room for a connection, and it rested
  std::uint64_t unheard = 0;    ///< UDP: the system said that nobody is at the port of a preferred peer
};

/// How bytes of PDUs travel. One object serves any number of doors with one epoll descriptor; no thread, and no
/// allocation per PDU once each connection has seen its largest. Not for several threads at once.
///
/// To bring another transport: derive from this, give it the number that the specification has for it, and hand it to
/// the slave's or master's runner beside the others (`SlaveRunner::Options::transports`). What the transport calls an
/// address has to fit into an Endpoint; a point-to-point transport (RFCOMM, USB) can number its peers. Its Descriptor
/// must become readable when there is something to receive.
class Transport {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Transport();
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  virtual TransportProtocol Protocol() const = 0;
  /// Bytes of a PDU that it can carry at most.
  virtual std::size_t MaxPduSize() const = 0;

  /// Makes ready to receive. UDP: binds (and joins the group of a multicast address); TCP: binds and listens.
  /// \param local  port 0: any free one; address 0: any of this machine
  /// \throws FileError  the port is in use or the address not of this machine; names both
  virtual Door Open(Endpoint local) = 0;
  /// Makes ready to send to `to`. UDP: nothing to be done, gives `from` back; TCP: connects, and what the other side
  /// sends back arrives at the new door.
  /// \throws FileError  refused or unreachable, or `deadline` has passed
  virtual Door Connect(Door from, Endpoint to, Clock::time_point deadline) = 0;
  /// Where a door is.
  virtual Endpoint Local(Door door) const = 0;
  /// Closes a door and the connections that came through it. What it has sent is still delivered.
  virtual void Close(Door door) = 0;
  /// Ends the connection with `peer` at `door`. UDP: nothing.
  virtual void Disconnect(Door door, Endpoint peer) = 0;
  /// A hint: from now on most of what passes through `door` is exchanged with `peer`, who may get a shorter way. Others
  /// are served as before. UDP: a socket of its own, so that the system need not look for the way each time.
  virtual void Prefer(Door door, Endpoint peer);
  /// From now on `peer` counts as known: its connection is not ended to make room for others, and may hold as many
  /// bytes as its PDUs have. Connections that were accepted and are not admitted share a bounded memory, and where
  /// there are too many the oldest of them ends. UDP: nothing.
  virtual void Admit(Door door, Endpoint peer);

  /// Sends a PDU from `door` to `to`. Never waits: what the other side does not read in time is kept up to a bound
  /// (TCP), beyond it the connection is ended.
  /// \returns false when it could not be sent (counted as `unsent`)
  virtual bool Send(Door door, Endpoint to, Bytes pdu) = 0;
  /// From now on what is sent may be kept, to leave together: until Release, or until a Receive that waits.
  virtual void Hold();
  /// Sends what was kept.
  /// \returns false when some of it could not be sent (counted as `unsent`)
  virtual bool Release();
  /// Takes what has arrived, or waits for it until `deadline`. A deadline in the past only looks.
  /// \returns false at the deadline
  virtual bool Receive(Arrival& arrival, Clock::time_point deadline) = 0;
  /// Readable when Receive may have something; for poll and epoll.
  virtual int Descriptor() = 0;
  /// Something is here already, without asking the system.
  virtual bool HasBuffered() const = 0;

  const TransportCounts& Counts() const { return counts_; }

 protected:
  TransportCounts counts_;
};

/// While this lives, what is sent by some transports may be kept; with its end it is sent.
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

/// Takes from whichever of several transports has something first, turn by turn.
/// \returns its position, or -1 at the deadline
int ReceiveAny(std::span<Transport* const> transports, Arrival& arrival, Transport::Clock::time_point deadline);

/// \param max_pdu_size  bytes, at most 65 507
std::unique_ptr<Transport> MakeUdpTransport(std::size_t max_pdu_size = 65'507);
/// \param max_pdu_size      bytes; a longer one ends the connection that it comes from
/// \param max_connections   accepted by all doors together, see Transport::Admit
std::unique_ptr<Transport> MakeTcpTransport(std::size_t max_pdu_size = std::size_t{16} << 20,
                                            std::size_t max_connections = 256);

}  // namespace openmi::dcp
