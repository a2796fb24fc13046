#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"

namespace openmi::dcp {

/// What a master has seen of its slave: states, errors in its log, silence, and whether it is gone.
class ObservedSlave {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param description  borrowed
  /// \param options  borrowed
  ObservedSlave(const SlaveDescription& description, const SessionOptions& options)
      : description_(description), options_(options) {}

  /// Notes a state that the slave reported.
  void Note(State state) {
    state_ = state;
    reached_ |= 1U << static_cast<unsigned>(state);
  }
  /// The state that was seen last.
  State Last() const { return state_; }
  /// Whether a state was seen since ForgetReached.
  bool HasReached(State goal) const { return (reached_ >> static_cast<unsigned>(goal) & 1U) != 0; }
  void ForgetReached() { reached_ = 0; }

  /// Notes an error in the slave's log.
  void NoteError(const std::string& message) { complaint_ = message; }
  const std::string& LastError() const { return complaint_; }

  void NoteArrival() { is_silent_ = false; }
  /// Whether nothing has arrived for so long, as far as calls of this function have looked.
  bool IsSilentFor(Clock::duration time);

  void SetRegistered(bool is_registered) { is_registered_ = is_registered; }
  bool IsRegistered() const { return is_registered_; }
  /// Notes that the slave is gone.
  /// \param has_hung_up  because its connection ended
  void Lose(bool has_hung_up) {
    is_gone_ = true;
    has_hung_up_ = has_hung_up_ || has_hung_up;
  }
  /// Takes back that it is gone.
  void Regain() { is_gone_ = has_hung_up_ = false; }
  bool IsGone() const { return is_gone_; }

  /// \throws ModelError  names the slave, and where it is gone the state that was seen last
  [[noreturn]] void Fail(const std::string& expected, const std::string& found, const std::string& remedy) const;
  /// \throws ModelError  the slave is gone
  void RequireHere(const std::string& expected) const;

 private:
  const SlaveDescription& description_;
  const SessionOptions& options_;
  State state_ = State::ALIVE;
  std::uint32_t reached_ = 0;  // a bit a state
  std::string complaint_;
  bool is_silent_ = false;  // nothing has arrived since silent_since_
  Clock::time_point silent_since_;
  bool is_registered_ = false;
  bool is_gone_ = false;
  bool has_hung_up_ = false;
};

}  // namespace openmi::dcp
