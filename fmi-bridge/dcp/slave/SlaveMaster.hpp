#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveSockets.hpp"

namespace openmi::dcp {

/// Whether a PDU is STC_register.
inline bool IsRegister(ByteView pdu) {
  return !pdu.empty() && pdu[0] == static_cast<std::byte>(PduType::STC_register);
}

/// Which peer sends which data to a slave.
///
/// DCP does not define it. The first peer whose data are taken stays their sender until the experiment ends, so that
/// another program of an allowed host cannot mix in. The master may replace any sender.
class DataSenders {
 public:
  /// Whether no other peer has sent these data before.
  bool Takes(const Peer& peer, ByteView pdu) const;
  /// Records that data were taken.
  /// \returns whether they are the first of this sender
  bool Note(const Peer& peer, ByteView pdu);
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

/// The master of a slave: who it is, whether it is still there, and what is taken from others.
class SlaveMaster {
 public:
  using Clock = Transport::Clock;

  /// \param machine  borrowed
  /// \param ports  borrowed
  /// \param reports  borrowed
  SlaveMaster(SlaveMachine& machine, const SlaveSockets& ports, SlaveReports& reports)
      : machine_(machine), ports_(ports), reports_(reports) {}

  /// Where the master is; nothing before one has registered.
  const std::optional<Peer>& At() const { return peer_; }
  /// The transport of the master; null where there is no master.
  Transport* Via() const { return peer_ ? peer_->transport : nullptr; }
  /// Who made the last request, and gets the response.
  const Peer& Asker() const { return asker_; }
  void SetAsker(const Peer& peer) { asker_ = peer; }
  /// Who gets notifications: the master, or who made the last request.
  const Peer& Receiver() const { return peer_ ? *peer_ : asker_; }

  /// Gives a request of the master, or of one that may become it, to the machine. Who has registered is the master.
  void TakeRequest(const Peer& peer, ByteView pdu, Clock::time_point now);
  /// Handles a request of another than the master.
  void TakeRequestOfStranger(const Peer& peer, ByteView pdu, Clock::time_point now);
  /// Takes data of the master, or of a peer on its host or a listed one where no other peer sends the same data.
  void TakeData(const Peer& peer, ByteView pdu);
  /// Ends the experiment where the connection that has ended is the master's.
  void TakeEnd(const Peer& peer);
  /// Ends the experiment where the master's host reports repeatedly that no program is at the master's port. One report
  /// makes the slave send its state for others; so does a silence of `looks_after`.
  void Watch(Clock::time_point now, Clock::duration looks_after);
  /// How long ago the master's last request arrived.
  Clock::duration SilentFor(Clock::time_point now) const { return now - heard_; }
  /// Ends the experiment of a master that is gone.
  void Lose(const std::string& why);
  /// Whether Lose or TakeEnd ended the experiment since the last call.
  bool WasLost() { return std::exchange(is_lost_, false); }
  /// Is free for the next master.
  void Leave();

  /// Whether peers other than the master send data in this experiment.
  bool HasOtherSenders() const { return has_other_senders_; }
  void SetOtherSenders(bool has_others) { has_other_senders_ = has_others; }
  /// Data PDUs that were dropped because of their sender.
  std::uint64_t RefusedData() const { return refused_data_; }

 private:
  SlaveMachine& machine_;
  const SlaveSockets& ports_;
  SlaveReports& reports_;
  std::optional<Peer> peer_;
  Peer asker_;
  bool is_lost_ = false;
  Clock::time_point heard_;    // when the master's last request arrived
  std::uint64_t unheard_ = 0;  // count of the master's transport when last read
  int refusals_ = 0;           // by the operating system, since the last request of the master
  int reminders_ = 0;          // still to be sent, because the master may be gone
  Clock::time_point looked_;   // when the slave last looked whether a silent master is there
  Clock::time_point next_reminder_;
  DataSenders senders_;
  bool has_other_senders_ = false;
  std::uint64_t refused_data_ = 0;
  std::uint64_t reported_data_ = 0;  // how many of these were reported
  std::uint64_t reported_requests_ = 0;
};

}  // namespace openmi::dcp
