#pragma once

#include <cstdint>
#include <optional>

#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"

/// \file
/// The state machine of a DCP slave as two tables: which transition leads where, and which PDU is allowed in which
/// state.
///
/// Where table and diagram of the specification contradict each other, the diagram holds (STC_run in SYNCHRONIZED,
/// STC_do_step in all three states of Run). Source: DCP 1.0, 3.2.5 (transitions), table 63 (permitted PDUs).

namespace openmi::dcp {

/// What a slave signals to its own state machine; signals are never sent.
enum class Signal : std::uint8_t {
  exit,
  prepared,
  configured,
  initialized,
  send_complete,
  synchronized,
  step_done,
  stop,
  stopped,
  error,
  resolved,
};

/// A set of states.
class States {
 public:
  constexpr States() = default;
  template <class... S>
  explicit constexpr States(S... states) : bits_(((std::uint32_t{1} << static_cast<unsigned>(states)) | ...)) {}
  constexpr bool Has(State state) const {
    return IsState(static_cast<std::uint8_t>(state)) && (bits_ >> static_cast<unsigned>(state) & 1U) != 0;
  }
  /// The states from one to another in the order of their numbers, both included.
  static constexpr States Range(State from, State to) {
    States states;
    for (auto i = static_cast<unsigned>(from); i <= static_cast<unsigned>(to); ++i)
      states.bits_ |= std::uint32_t{1} << i;
    return states;
  }
  friend constexpr States operator|(States a, States b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  std::uint32_t bits_ = 0;
};

inline constexpr States kNormalOperation = States::Range(State::CONFIGURATION, State::STOPPED);
inline constexpr States kStoppable = States::Range(State::PREPARING, State::SENDING_D);
inline constexpr States kRun = States::Range(State::SYNCHRONIZING, State::RUNNING);
inline constexpr States kError = States::Range(State::ERRORHANDLING, State::ERRORRESOLVED);
inline constexpr States kAnyState = States::Range(State::ALIVE, State::ERRORRESOLVED);

/// The state that a request of the master leads to from `state`; nothing when there is no such transition.
std::optional<State> After(State state, PduType request);
/// The state that a signal leads to from `state`; nothing when there is no such transition.
///
/// From SENDING_D, send_complete leads back to `origin`, the state of Run in which the step began. SIG_exit changes no
/// state: where it is allowed, the result is `state`.
std::optional<State> After(State state, Signal signal, State origin = State::RUNNING);

/// Whether a PDU may be received in a state, judged by the state alone.
bool IsAllowed(State state, PduType received);
/// Whether a PDU has a meaning in an operating mode: STC_do_step only in NRT.
bool IsSupported(OpMode mode, PduType received);
/// The request that the work of a state belongs to. During that state the same request is "in progress".
std::optional<PduType> RequestUnderWay(State state);

}  // namespace openmi::dcp
