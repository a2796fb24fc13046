#pragma once

#include <cstdint>
#include <vector>

#include "fmi-bridge/dcp/transport/Transport.hpp"

namespace openmi::dcp {

/// The other side of a conversation.
struct Peer {
  Transport* transport = nullptr;
  Door door = 0;
  Endpoint at;
  bool operator==(const Peer&) const = default;
};

/// Who sends which data to a slave. DCP does not say it, so the first whose data are taken goes on as their sender
/// until the experiment ends: another program of an allowed host cannot mix in. The master may replace any.
class DataSenders {
 public:
  /// Whether nobody else has sent these data before.
  bool Takes(const Peer& peer, Bytes pdu) const;
  /// Data were taken.
  /// \returns whether they are the first of this sender
  bool Note(const Peer& peer, Bytes pdu);
  /// A connection is over: another may send in its place.
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
