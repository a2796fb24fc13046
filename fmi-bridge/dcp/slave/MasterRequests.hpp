#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// The sequence numbers of a master's requests.
class RequestNumbers {
 public:
  /// Accepts that a master restarts its numbers after MayRestart.
  void AllowRestart() { allows_restart_ = true; }
  void MayRestart(bool may_restart) { may_restart_ = may_restart && allows_restart_; }
  std::uint16_t Last() const { return last_; }
  std::uint16_t Next() const { return static_cast<std::uint16_t>(last_ + 1); }
  bool IsNext(std::uint16_t number) const {
    return number == Next() || (may_restart_ && number == static_cast<std::uint16_t>(registered_ + 1));
  }
  void Take(std::uint16_t number) {
    last_ = number;
    may_restart_ = false;
  }
  /// Notes that the last request was STC_register.
  void NoteRegistered() { registered_ = last_; }
  bool IsRegisteredLast() const { return last_ == registered_; }

 private:
  std::uint16_t last_ = 0;
  std::uint16_t registered_ = 0;  // of STC_register
  bool allows_restart_ = false;
  bool may_restart_ = false;  // CFG_clear or STC_reset was the last request
};

/// Supervises the heartbeat of a master: its requests for the state.
class MasterHeartbeat {
 public:
  using Clock = std::chrono::steady_clock;

  explicit MasterHeartbeat(const SlaveDescription& description) {
    if (!description.heartbeat || !description.capabilities.can_monitor_heartbeat) return;
    period_ = std::chrono::duration<double>(description.heartbeat->Seconds());
  }
  /// See SlaveMachine::SuperviseOnlyWhoBeats.
  void SuperviseOnlyWhoBeats() { is_asked_for_ = false; }
  /// Starts to supervise a master.
  void Begin(Clock::time_point now) {
    heard_ = now;
    is_given_ = false;
    last_.reset();
  }
  /// Counts the time without a heartbeat from now on.
  void Renew(Clock::time_point now) { heard_ = now; }
  /// Takes a request.
  /// \param is_beat  whether it requests the state
  void Take(bool is_beat, Clock::time_point now) {
    if (is_beat || !is_asked_for_) heard_ = now;
    if (!is_beat || !period_) return;
    is_given_ = is_given_ || (last_ && now - *last_ <= *period_);
    last_ = now;
  }
  /// When the next heartbeat must have come; nothing where the master is not supervised.
  std::optional<Clock::time_point> Deadline() const {
    if (!period_ || (!is_asked_for_ && !is_given_)) return std::nullopt;
    return heard_ + std::chrono::duration_cast<Clock::duration>(*period_);
  }

 private:
  std::optional<std::chrono::duration<double>> period_;
  bool is_asked_for_ = true;  // every master is supervised
  bool is_given_ = false;     // this master sends heartbeats
  Clock::time_point heard_;
  std::optional<Clock::time_point> last_;
};

}  // namespace openmi::dcp
