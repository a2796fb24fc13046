#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fmi-bridge/dcp/slave/MissedInputs.hpp"
#include "fmi-bridge/dcp/slave/SlaveConfiguration.hpp"
#include "fmi-bridge/dcp/slave/SlaveLog.hpp"
#include "fmi-bridge/dcp/slave/StateTable.hpp"

namespace openmi::dcp {

/// Where a slave's answers go.
class ISlaveOutlet {
 public:
  virtual ~ISlaveOutlet() = default;
  /// A response, for who has just asked.
  virtual void Reply(Bytes pdu) = 0;
  /// A notification, for the master.
  virtual void Notify(Bytes pdu) = 0;
  /// Data did not come; the machine goes to ERRORHANDLING after this call where that is more than the slave bears.
  virtual void Missed(const MissedData&) {}
};

/// The protocol of a slave without sockets, clock or model: takes PDUs and signals, gives responses and notifications,
/// and stands in one of the nineteen states.
///
/// Who drives it looks at CurrentState() after each Receive, does the duty of the state (opens ports, computes, sends
/// data) and raises the signal that ends it. Nothing here allocates once CONFIGURATION is left, logs aside.
class SlaveMachine {
 public:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Clock::time_point clock;        ///< for the heartbeat
    std::int64_t unix_seconds = 0;  ///< for start times
  };
  struct Counts {
    std::uint64_t requests = 0;   ///< answered
    std::uint64_t nacks = 0;      ///< of them refused
    std::uint64_t data = 0;       ///< taken
    std::uint64_t dropped = 0;    ///< PDUs of any kind
    std::uint64_t missed = 0;     ///< data PDUs that sequence numbers passed over
    std::uint64_t repeated = 0;   ///< data PDUs with the number of the last one: dropped
    std::uint64_t late = 0;       ///< data PDUs older than the last one: dropped
    std::uint64_t without = 0;    ///< steps and initializations that began without new values of a group of inputs
    std::uint64_t strangers = 0;  ///< requests of others than the master, beyond questions for the state: not followed
  };

  /// \param description, values, outlet  borrowed
  /// \param is_allowed  see SlaveConfiguration
  SlaveMachine(const SlaveDescription& description, SlaveValues& values, ISlaveOutlet& outlet,
               std::function<bool(const CfgNetworkInformation&)> is_allowed = {});

  /// Takes a PDU of the master (or, in ALIVE, of anyone), or data of whoever may send them.
  void Receive(Bytes pdu, const Moment& now);
  /// Takes a PDU of somebody else than the master: tells the state to who asks, refuses who would register, drops
  /// all other requests; sequence numbers and heartbeat stay as they are.
  void ReceiveFromStranger(Bytes pdu);
  /// Whether a request has this slave's id and the sequence number that comes next.
  bool IsNextRequest(Bytes pdu) const;

  /// From now on the request after CFG_clear or STC_reset may also bear the number that came after STC_register's, for
  /// masters that begin to count anew there, as DCPLib does. DCP 1.0 says nothing of the kind.
  void AllowRestartedNumbers() { numbers_.allows_restart = true; }
  /// From now on data that are lost in soft real time are counted and reported only, whatever maxConsecMissedPdus says.
  void BearLossInSoftRealTime() { bears_soft_loss_ = true; }

  /// From now on a master is supervised only once it has asked for the state twice within an interval of the heartbeat,
  /// and each of its requests is a sign of life: for masters that know nothing of heartbeats.
  void SuperviseOnlyWhoBeats() { beat_.is_asked_for = false; }
  /// Whether STC_register was the last request of the master.
  bool IsNewlyRegistered() const { return state_ == State::CONFIGURATION && numbers_.last == numbers_.registered; }
  /// Says the state again, for a master that may be gone.
  void Remind() { Emit(NtfStateChanged{.sender = id_, .state = state_}, false); }

  /// \returns false when the state does not know the signal; nothing happens then
  bool Raise(Signal signal);
  /// To ERRORHANDLING with a reason. No effect in ALIVE and the error states.
  void Fail(ErrorCode reason);
  /// When a step or an initialization begins: reports the groups of inputs that brought nothing new since the last one.
  /// \returns false when that is more than the slave bears; it is in ERRORHANDLING then
  bool JudgeInputs();
  /// Back to ALIVE without being asked, as a new start would be: from ERRORRESOLVED (or ALIVE).
  void Restart();
  /// Fails with HEARTBEAT_MISSED when the master has been silent for too long.
  void CheckHeartbeat(Clock::time_point now);
  /// Whether the master has been silent for that long, in whatever state: in those of errors nothing follows from it.
  bool IsMasterSilent(Clock::time_point now) const;
  /// When that will be, if it is supervised and there is a master.
  std::optional<Clock::time_point> HeartbeatDeadline() const;

  State CurrentState() const { return state_; }
  OpMode Mode() const { return mode_; }
  std::uint8_t Id() const { return id_; }
  ErrorCode LastError() const { return error_; }
  /// Of the last STC_run, Unix seconds; 0: at once.
  std::int64_t StartTime() const { return start_time_; }
  /// Of the STC_do_step under way.
  std::uint32_t Steps() const { return steps_; }
  /// The state of Run that the last STC_do_step came in.
  State Origin() const { return origin_; }
  SlaveConfiguration& Configuration() { return configuration_; }
  MissedInputs& Missing() { return missing_; }
  const SlaveConfiguration& Configuration() const { return configuration_; }
  const Counts& Total() const { return counts_; }
  /// Adds to the log, or sends it, as the master has configured.
  /// \param arguments  as the template's placeholders say
  void Log(std::uint8_t log_template, Bytes arguments, std::int64_t unix_seconds);

 private:
  void ReceiveData(Bytes pdu);
  /// \returns false when more was lost than the slave bears
  bool JudgeGap(const Dat& data, const InputGroup& group);
  void ReceiveRequest(Bytes pdu, const Moment& now);
  bool IsNext(std::uint16_t sequence) const;
  ErrorCode CheckSupport(PduType type) const;
  ErrorCode Judge(const Pdu& pdu, const Moment& now);
  ErrorCode JudgeState(const Pdu& pdu, const Moment& now);
  ErrorCode JudgeRegister(const StcRegister& pdu) const;
  ErrorCode JudgeRun(const StcRun& pdu, const Moment& now) const;
  ErrorCode JudgeDoStep(const StcDoStep& pdu) const;
  ErrorCode Configure(const Pdu& pdu);
  void NoteBeat(Clock::time_point now);
  bool AnswerInformation(const Pdu& pdu, const RequestHead& head);
  void Act(const Pdu& pdu, const Moment& now);
  void Enter(State state);
  std::optional<Clock::time_point> EndOfPatience() const;
  void Nack(const RequestHead& head, ErrorCode error);
  void Emit(const Pdu& pdu, bool is_reply);

  /// Sequence numbers of requests.
  struct RequestNumbers {
    std::uint16_t last = 0;
    std::uint16_t registered = 0;  ///< of STC_register
    bool allows_restart = false;
    bool may_restart = false;  ///< CFG_clear or STC_reset was the last request
  };

  /// What the master gives of its heartbeat.
  struct Heartbeats {
    bool is_asked_for = true;  ///< of every master
    bool is_given = false;     ///< by this one
    std::optional<Clock::time_point> last = {};
  };

  const SlaveDescription& description_;
  ISlaveOutlet& outlet_;
  SlaveConfiguration configuration_;
  MissedInputs missing_{configuration_};
  SlaveLog log_;
  std::vector<std::byte> out_;
  std::vector<std::byte> log_out_;
  Counts counts_;
  State state_ = State::ALIVE;
  State origin_ = State::RUNNING;
  OpMode mode_ = OpMode::NRT;
  ErrorCode error_ = ErrorCode::NONE;
  std::uint8_t id_ = 0;
  RequestNumbers numbers_;
  bool bears_soft_loss_ = false;
  std::int64_t start_time_ = 0;
  std::uint32_t steps_ = 0;
  std::optional<std::uint32_t> previous_steps_;
  Clock::time_point heard_;
  Heartbeats beat_;
};

}  // namespace openmi::dcp
