#include "fmi-bridge/dcp/slave/SlaveMaster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"

namespace openmi::dcp {
namespace {

/// Type and id of a data PDU; 0 for one without a complete head.
std::uint32_t DataOf(ByteView pdu) {
  if (pdu.size() < kDataHead) return 0;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(pdu[at]); };
  return byte(0) << 16U | byte(kDataHead - 1) << 8U | byte(kDataHead - 2);
}

/// Whether to report an event that repeats: at the counts 1, 10, 100, ...
/// \param reported  the count that was last reported; updated
bool IsWorthReporting(std::uint64_t count, std::uint64_t& reported) {
  if (reported > 0 && count < 10 * reported) return false;
  reported = count;
  return true;
}

}  // namespace

bool DataSenders::Takes(const Peer& peer, ByteView pdu) const {
  const auto known = std::ranges::find(senders_, DataOf(pdu), &Sender::data);
  return known == senders_.end() || known->peer == peer;
}

bool DataSenders::Note(const Peer& peer, ByteView pdu) {
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

void SlaveMaster::TakeRequest(const Peer& peer, ByteView pdu, Clock::time_point now) {
  reminders_ = refusals_ = 0;
  heard_ = now;
  machine_.Receive(pdu, {.clock = now, .unix_seconds = std::time(nullptr)});
  if (peer_ || machine_.CurrentState() == State::ALIVE) return;
  peer_ = peer;
  reports_.Clear();
  peer.transport->Prefer(peer.socket, peer.at);
  peer.transport->Admit(peer.socket, peer.at);
  unheard_ = peer.transport->Counts().unheard;
  next_reminder_ = {};
  reports_.Show(
      fmt::format("registered by {} as slave {} in {}", ToText(peer.at), machine_.Id(), NameOf(machine_.Mode())));
}

void SlaveMaster::TakeRequestOfStranger(const Peer& peer, ByteView pdu, Clock::time_point now) {
  constexpr int kReminders = 4;
  constexpr std::chrono::seconds kSilence{1};
  machine_.ReceiveFromStranger(pdu);
  const std::uint64_t requests = machine_.Total().strangers;
  const bool may_be_gone = Via()->Protocol() == TransportProtocol::UDP_IPv4 && SilentFor(now) > kSilence;
  if (IsRegister(pdu) && may_be_gone && reminders_ == 0) reminders_ = kReminders;
  if (requests <= reported_requests_ || !IsWorthReporting(requests, reported_requests_)) return;
  reports_.Warn(
      fmt::format("refused {} request(s) of others, the last from {}: the master is at {}, and requests from other "
                  "addresses are refused",
                  requests, ToText(peer.at), ToText(peer_->at)));
}

void SlaveMaster::TakeData(const Peer& peer, ByteView pdu) {
  // Without a master no data are taken at all.
  const bool is_taken_from =
      !peer_ || *peer_ == peer || (ports_.IsForData(peer.at.address, peer_->at.address) && senders_.Takes(peer, pdu));
  if (!is_taken_from) {
    if (IsWorthReporting(++refused_data_, reported_data_)) {
      reports_.Warn(
          fmt::format("refused {} data PDU(s), the last from {}: data are taken from the master's host and from listed "
                      "hosts (--data-host) only, and data with one id from one sender only",
                      refused_data_, ToText(peer.at)));
    }
    return;
  }
  has_other_senders_ = has_other_senders_ || peer_ != peer;
  const std::uint64_t taken = machine_.Total().data;
  machine_.Receive(pdu, {});
  const bool is_taken = machine_.Total().data != taken;
  if (is_taken && senders_.Note(peer, pdu)) peer.transport->Admit(peer.socket, peer.at);
}

void SlaveMaster::TakeEnd(const Peer& peer) {
  senders_.Leave(peer);
  if (peer_ != peer || machine_.CurrentState() == State::ALIVE) return;
  if (machine_.CurrentState() == State::ERRORRESOLVED) {
    is_lost_ = true;
    machine_.Restart();
  } else {
    const bool is_udp = Via()->Protocol() == TransportProtocol::UDP_IPv4;
    Lose(fmt::format("{} {} {} {}", is_udp ? "the host of the master at" : "the connection with the master at",
                     ToText(peer.at), is_udp ? "reports that no program is at its port, in" : "was lost in",
                     NameOf(machine_.CurrentState())));
  }
}

void SlaveMaster::Watch(Clock::time_point now, Clock::duration looks_after) {
  constexpr int kMostRefusals = 3;  // a single one may be forged, or come from a master that opens its port again
  constexpr std::chrono::milliseconds kReminderEvery{20};
  if (!peer_ || Via()->Protocol() != TransportProtocol::UDP_IPv4) return;
  if (reminders_ == 0 && now - std::max(heard_, looked_) > looks_after) {
    reminders_ = 1;
    looked_ = now;
  }
  if (reminders_ > 0 && now >= next_reminder_) {
    next_reminder_ = now + kReminderEvery;
    --reminders_;
    machine_.Remind();
  }
  const std::uint64_t unheard = std::exchange(unheard_, Via()->Counts().unheard);
  if (unheard == unheard_) return;
  if (++refusals_ < kMostRefusals) {
    reminders_ = std::max(reminders_, kMostRefusals);
  } else {
    TakeEnd(*peer_);
  }
}

void SlaveMaster::Lose(const std::string& why) {
  is_lost_ = true;
  reports_.Fail(why);
}

void SlaveMaster::Leave() {
  if (peer_ && reports_.Problem().empty()) {
    reports_.Show(fmt::format("left by the master at {}: free for the next", ToText(peer_->at)));
  } else if (peer_) {
    reports_.Show(fmt::format("free for the next master; the experiment of the one at {} ended: {}", ToText(peer_->at),
                              reports_.Problem()));
  }
  peer_.reset();
  senders_.Clear();
  is_lost_ = false;
}

}  // namespace openmi::dcp
