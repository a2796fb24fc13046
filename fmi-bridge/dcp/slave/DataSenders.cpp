#include "fmi-bridge/dcp/slave/DataSenders.hpp"

#include <algorithm>

#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"

namespace openmi::dcp {
namespace {

/// Type and id of a data PDU; 0 for one without a complete head.
std::uint32_t DataOf(Bytes pdu) {
  if (pdu.size() < kDataHead) return 0;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(pdu[at]); };
  return byte(0) << 16U | byte(kDataHead - 1) << 8U | byte(kDataHead - 2);
}

}  // namespace

bool DataSenders::Takes(const Peer& peer, Bytes pdu) const {
  const auto known = std::ranges::find(senders_, DataOf(pdu), &Sender::data);
  return known == senders_.end() || known->peer == peer;
}

bool DataSenders::Note(const Peer& peer, Bytes pdu) {
  const std::uint32_t data = DataOf(pdu);
  const auto known = std::ranges::find(senders_, data, &Sender::data);
  if (known == senders_.end()) {
    senders_.push_back({.data = data, .peer = peer});
    return true;
  }
  if (known->peer == peer) return false;
  known->peer = peer;
  return true;
}

void DataSenders::Leave(const Peer& peer) {
  std::erase_if(senders_, [&](const Sender& one) { return one.peer == peer; });
}

}  // namespace openmi::dcp
