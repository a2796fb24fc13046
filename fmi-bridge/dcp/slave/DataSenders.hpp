#pragma once

#include <cstdint>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

namespace openmi::dcp {

/// The other side of an exchange of PDUs.
struct Peer {
  Transport* transport = nullptr;
  Door door = 0;
  Endpoint at;
  bool operator==(const Peer&) const = default;
};

/// Which peer sends which data to a slave.
///
/// DCP does not define it. The first peer whose data are taken stays their sender until the experiment ends, so that
/// another program of an allowed host cannot mix in. The master may replace any sender.
class DataSenders {
 public:
  /// Whether no other peer has sent these data before.
  bool Takes(const Peer& peer, Bytes pdu) const;
  /// Records that data were taken.
  /// \returns whether they are the first of this sender
  bool Note(const Peer& peer, Bytes pdu);
  /// Records that a connection has ended: another peer may send its data from now on.
  void Leave(const Peer& peer);
  void Clear() { senders_.clear(); }

 private:
  struct Sender {
    std::uint32_t data = 0;  // type and id of the PDU
    Peer peer;
  };
  std::vector<Sender> senders_;
};

}  // namespace openmi::dcp
