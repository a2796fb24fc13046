#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "fmi-bridge/dcp/slave/MasterRequests.hpp"
#include "fmi-bridge/dcp/slave/MissedInputs.hpp"
#include "fmi-bridge/dcp/slave/SlaveLog.hpp"
#include "fmi-bridge/dcp/slave/StateTable.hpp"

namespace openmi::dcp {

/// Receives what a SlaveMachine sends and reports.
class ISlaveOutlet {
 public:
  virtual ~ISlaveOutlet() = default;
  /// Sends a response to the sender of the last request.
  virtual void Reply(ByteView pdu) = 0;
  /// Sends a notification to the master.
  virtual void Notify(ByteView pdu) = 0;
  /// Reports data that did not arrive. Where more are missing than the slave allows, the machine goes to ERRORHANDLING
  /// after this call.
  virtual void Missed(const MissedData&) {}
};

/// What a slave has received since it was made.
struct SlaveCounts {
  std::uint64_t requests = 0;   ///< answered requests
  std::uint64_t nacks = 0;      ///< requests refused
  std::uint64_t data = 0;       ///< data PDUs taken
  std::uint64_t dropped = 0;    ///< PDUs of any kind
  std::uint64_t missed = 0;     ///< data PDUs skipped by sequence numbers
  std::uint64_t repeated = 0;   ///< data PDUs with the number of the last one; dropped
  std::uint64_t late = 0;       ///< data PDUs older than the last one; dropped
  std::uint64_t without = 0;    ///< groups of inputs without new values when a step or an initialization began
  std::uint64_t strangers = 0;  ///< requests of others than the master, except requests for the state; not followed
};

/// The protocol of a slave, without sockets, clock or model.
///
/// It takes PDUs and signals, sends responses and notifications, and is in one of the nineteen states. Its user reads
/// CurrentState() after each Receive, does the work of that state (opens ports, computes, sends data) and raises the
/// signal that ends it. After CONFIGURATION nothing here allocates, except for logs.
class SlaveMachine {
 public:
  using Clock = std::chrono::steady_clock;
  struct Moment {
    Clock::time_point clock;        ///< for the heartbeat
    std::int64_t unix_seconds = 0;  ///< for start times
  };

  /// \param description  borrowed
  /// \param values  borrowed
  /// \param outlet  borrowed
  /// \param is_allowed  see SlaveConfiguration
  SlaveMachine(const SlaveDescription& description, SlaveValues& values, ISlaveOutlet& outlet,
               std::function<bool(const CfgNetworkInformation&)> is_allowed = {});

  /// Takes a request of the master (in ALIVE: of anyone), or a data PDU of any sender that the caller admits.
  void Receive(ByteView pdu, const Moment& now);
  /// Takes a PDU of another sender than the master.
  ///
  /// A request for the state is answered, STC_register is refused, and all other requests are dropped. Sequence numbers
  /// and heartbeat do not change.
  void ReceiveFromStranger(ByteView pdu);
  /// Whether a request has this slave's id and the sequence number that comes next.
  bool IsNextRequest(ByteView pdu) const;

  /// Allows masters to restart the numbers of their requests after CFG_clear and STC_reset.
  ///
  /// The request after one of them may then also have the number that followed STC_register's. DCPLib numbers its
  /// requests so; DCP 1.0 does not mention it.
  void AllowRestartedNumbers() { numbers_.AllowRestart(); }
  /// Only counts and reports data that are lost in soft real time from now on, whatever maxConsecMissedPdus states.
  void BearLossInSoftRealTime() { bears_soft_loss_ = true; }

  /// Supervises a master only once it sends heartbeats, for masters that send none.
  ///
  /// A master is then supervised only after it has requested the state twice within one heartbeat interval, and each of
  /// its requests counts as a heartbeat.
  void SuperviseOnlyWhoBeats() { heartbeat_.SuperviseOnlyWhoBeats(); }
  /// Whether STC_register was the last request of the master.
  bool IsNewlyRegistered() const { return state_ == State::CONFIGURATION && numbers_.IsRegisteredLast(); }
  /// Reports the state to a master that may be gone, as an answer that it has had already: one that is there drops it.
  void Remind() { Emit(RspStateAck{.sequence = numbers_.Last(), .sender = id_, .state = state_}, false); }

  /// Raises a signal.
  /// \returns false when the state has no transition for the signal; nothing happens then
  bool Raise(Signal signal);
  /// Goes to ERRORHANDLING with a reason. No effect in ALIVE and in the error states.
  void Fail(ErrorCode reason);
  /// Reports the groups of inputs without new data since the last step or initialization. Call when one begins.
  /// \returns false when more are missing than the slave allows; the machine is then in ERRORHANDLING
  bool JudgeInputs();
  /// Returns from ERRORRESOLVED to ALIVE without a request, as a restart of the slave would. No effect in other states.
  void Restart();
  /// Fails with HEARTBEAT_MISSED when the master has sent no heartbeat for too long.
  void CheckHeartbeat(Clock::time_point now);
  /// Whether the master has sent no heartbeat for too long, in any state except ALIVE. In the error states nothing
  /// follows from it.
  bool IsMasterSilent(Clock::time_point now) const;
  /// When CheckHeartbeat will fail; nothing where no master is supervised.
  std::optional<Clock::time_point> HeartbeatDeadline() const;

  State CurrentState() const { return state_; }
  OpMode Mode() const { return mode_; }
  std::uint8_t Id() const { return id_; }
  ErrorCode LastError() const { return error_; }
  /// Start time of the last STC_run in Unix seconds; 0: at once.
  std::int64_t StartTime() const { return start_time_; }
  /// Steps of the current STC_do_step.
  std::uint32_t Steps() const { return steps_.value_or(0); }
  SlaveConfiguration& Configuration() { return configuration_; }
  MissedInputs& Missing() { return missing_; }
  const SlaveConfiguration& Configuration() const { return configuration_; }
  const SlaveCounts& Total() const { return counts_; }
  /// Adds an entry to the log, or sends it, as the master has configured.
  /// \param arguments  encoded as the template's placeholders require
  void Log(std::uint8_t log_template, ByteView arguments, std::int64_t unix_seconds);

 private:
  void ReceiveData(ByteView pdu);
  /// \returns false when more was lost than the slave allows
  bool JudgeGap(const Dat& data, const InputGroup& group);
  void ReceiveRequest(ByteView pdu, const Moment& now);
  ErrorCode CheckSupport(PduType type) const;
  ErrorCode JudgeState(const Pdu& pdu, const Moment& now) const;
  ErrorCode JudgeDoStep(const StcDoStep& pdu) const;
  ErrorCode Configure(const Pdu& pdu);
  bool AnswerInformation(const Pdu& pdu, const RequestHead& head);
  void Act(const Pdu& pdu, const Moment& now);
  void Enter(State state);
  void Nack(const RequestHead& head, ErrorCode error);
  void Emit(const Pdu& pdu, bool is_reply);

  const SlaveDescription& description_;
  ISlaveOutlet& outlet_;
  SlaveConfiguration configuration_;
  MissedInputs missing_{configuration_};
  SlaveLog log_;
  Bytes out_;
  SlaveCounts counts_;
  State state_ = State::ALIVE;
  State origin_ = State::RUNNING;  // where the last STC_do_step arrived
  OpMode mode_ = OpMode::NRT;
  ErrorCode error_ = ErrorCode::NONE;
  std::uint8_t id_ = 0;
  RequestNumbers numbers_;
  bool bears_soft_loss_ = false;
  std::int64_t start_time_ = 0;
  std::optional<std::uint32_t> steps_;  // of the last STC_do_step
  MasterHeartbeat heartbeat_;
};

}  // namespace openmi::dcp
