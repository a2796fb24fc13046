#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/master/DataGroups.hpp"
#include "fmi-bridge/dcp/master/ObservedSlave.hpp"
#include "fmi-bridge/dcp/master/Requests.hpp"

namespace openmi::dcp {

/// One slave as its master sees it, from registration to deregistration.
///
/// Order of calls: Plan; Register; Configure; Initialize, any number of times; Synchronize; Run; then steps; Stop.
/// Where slaves exchange data directly, call Prepare and Connect instead of Configure, and prepare all slaves before
/// the first of them connects.
///
/// Every call waits at most as long as the options allow. A call that fails throws ModelError with what was expected,
/// what was found and a remedy. After that only Stop may be called. Stop never throws.
///
/// A step allocates nothing. Only one thread at a time may use a session. If the slave supervises its master, the calls
/// also send the heartbeat to the slave. If the time between two calls may be longer than the heartbeat interval of the
/// slave, call Beat between them.
class SlaveSession {
 public:
  using Clock = Transport::Clock;

  /// Makes the transports; Register opens the sockets.
  /// \param description  borrowed
  SlaveSession(const SlaveDescription& description, SessionOptions options);
  ~SlaveSession();
  SlaveSession(const SlaveSession&) = delete;
  SlaveSession& operator=(const SlaveSession&) = delete;

  /// The values of all variables, at their start values at first. An input holds the value that is sent next, an output
  /// the value that was received last.
  SlaveValues& Values() { return values_; }
  /// Sets what is exchanged, as positions in the description's variables.
  /// \pre Configure has not been called, and the sizes of arrays are final.
  /// \param inputs  are sent before each step; tunable parameters may be among them
  /// \param parameters  are set in CONFIGURATION; structural parameters may be among them
  /// \param stand_by  inputs that another slave sends. This side sends them at initialization, and in steps while
  ///   SetTakeOver is on.
  void Plan(std::span<const Index> inputs, std::span<const Index> outputs, std::span<const Index> parameters,
            std::span<const Index> stand_by = {});
  /// Makes the slave send outputs to another slave too, once in each communication step of this session's options.
  /// \pre Plan has been called, Configure has not.
  void SendDirectly(std::uint16_t data_id, std::span<const Index> outputs, Endpoint to);
  /// Makes the slave take inputs from another slave.
  /// \pre Plan has been called, Configure has not.
  /// \param sent_as  the types of the sender's outputs, one per input
  void ReceiveDirectly(std::uint16_t data_id, std::span<const Index> inputs, std::span<const DataType> sent_as);
  /// Sets whether this side sends the inputs of `stand_by` (see Plan), from the next step on.
  void SetTakeOver(bool sends) { data_.SetTakeOver(sends); }
  /// Where the slave receives data.
  Endpoint DataPlace() const { return sockets_.PlaceOf(false, 0); }

  /// Opens the sockets and registers this side as the slave's master.
  /// \throws FileError  no port of this machine is free
  void Register();
  void Configure() {
    Prepare();
    Connect();
  }
  /// Configures the slave and brings it to PREPARED, where it can receive data.
  void Prepare();
  /// Brings the slave to CONFIGURED: it is then connected with every receiver of its data.
  void Connect();
  /// Sends the inputs, lets the slave initialize, and takes the outputs.
  ///
  /// Where the slave reports that inputs did not arrive, it is initialized again, up to `SessionOptions::tries` times
  /// in all.
  void Initialize();
  /// Brings the slave through SYNCHRONIZING to SYNCHRONIZED.
  void Synchronize() { RunFrom(State::CONFIGURED, State::SYNCHRONIZED, 0); }
  /// Brings the slave to RUNNING.
  /// \param start_time  when the slave begins to run in SRT or HRT, in Unix seconds; 0: at once
  void Run(std::int64_t start_time) {
    RunFrom(State::SYNCHRONIZED, State::RUNNING, options_.mode == OpMode::NRT ? 0 : start_time);
  }
  /// Sends a heartbeat if one is due. For use when no other call is made for a long time. If the heartbeat fails, the
  /// next call that may throw reports the reason.
  void Beat() noexcept;
  /// The time between two requests for the state: a third of the heartbeat interval of the slave, or the time-out of
  /// answers if that is shorter or if the slave has no heartbeat.
  Clock::duration PollInterval() const;

  /// NRT: begins a step of `steps` times the time resolution.
  ///
  /// A step has three calls, so that several slaves can compute at once: BeginStep for all slaves; AskForOutputs for
  /// each, which waits for the slave to compute and asks for its outputs; FinishStep for all. Where slaves send data to
  /// each other, begin the step of all before AskForOutputs of the first.
  void BeginStep(std::uint32_t steps);
  void AskForOutputs();
  void FinishStep();
  /// Lock-step: BeginLockStep sends the inputs, FinishLockStep waits for the outputs of the step.
  void BeginLockStep();
  void FinishLockStep();
  /// SRT, HRT: sends the inputs, then waits for outputs that arrive between `due` - `slack` and `due` + `slack`.
  /// \returns false if no outputs arrived in time; the last outputs then stay
  bool StepInRealTime(Clock::time_point due, Clock::duration slack);

  /// Stops the slave in any state and leaves it free for the next master. Never throws.
  /// \returns why the slave could not be stopped or deregistered; empty if it could, or if an earlier call has already
  ///   reported that the slave is gone
  std::string Stop() noexcept;

  const SessionCounts& Counts() const { return counts_; }

 private:
  // Requests.
  void Send(const Pdu& request);
  /// \param patience  the time until which the slave may be busy. Before this time the slave counts as gone only if the
  ///   operating system reports that it is gone
  Answer Await(Clock::time_point patience = {});
  /// Sends a request until an answer arrives. Only for requests that change nothing when they arrive a second time.
  Answer Ask(const Pdu& request, Clock::time_point patience = {});
  State AskState(Clock::time_point patience = {});
  /// Requests a change of state, and waits until the slave is in `goal`.
  void Command(PduType type, State from, State goal, Clock::time_point deadline);
  void SendCommand(PduType type, State from);
  void FinishCommand(PduType type, State from, State goal, Clock::time_point deadline);
  void RunFrom(State from, State goal, std::int64_t time);
  /// Takes what arrives until `is_reached` returns true. From time to time, also asks for the state.
  /// \param expected  returns what was expected of the slave, for the message if the slave is gone
  /// \returns false at the deadline
  template <class IsReached, class Expected>
  bool PollUntil(IsReached is_reached, Clock::time_point deadline, Expected expected);
  void WaitFor(State goal, Clock::time_point deadline, std::string_view what);
  void RequireHealth();
  /// Sends a heartbeat if one is due.
  void BeatIfDue();
  /// In real time: asks for the state if nothing has arrived for two intervals of the slowest outputs,
  /// and at least for PollInterval.
  /// \param step  the length of a step of this side
  void AskIfSilent(Clock::duration step);

  // Configuration.
  DataGroup DirectGroup(std::uint16_t id, std::span<const Index> variables) const;
  void Configure(const Pdu& request, const std::string& what);
  /// \param sent_as  the types that the sender uses, one per variable
  void ConfigureInputs(const DataGroup& group, std::span<const DataType> sent_as);
  void ConfigureOutputs(const DataGroup& group, Endpoint to);
  void ConfigureScope(const DataGroup& group);
  void ConfigureNetwork(PduType type, std::uint16_t id, Endpoint where);
  void ConfigureLog();

  // Data.
  void SendInputs(bool all = false);
  void AwaitOutputs(bool at_initialization, Clock::time_point deadline, std::string_view when);
  /// Waits for one PDU and takes it.
  /// \returns false at the deadline, or if the slave ended the connection for requests
  bool Pump(Clock::time_point deadline);
  /// \returns false if the arrival is dropped, because it is not a PDU of the slave
  bool Take(const Arrival& arrival);
  /// Takes an entry of the slave's log.
  /// \returns how many bytes the arguments of the entry have; no value if the template is unknown
  std::optional<std::size_t> TakeLog(std::uint8_t log_template, ByteView arguments);
  /// Asks for all entries of the log, if the slave does not send them by itself.
  void FetchLog();

  const SlaveDescription& description_;
  SessionOptions options_;
  SlaveValues values_;
  SessionCounts counts_;
  SessionSockets sockets_{description_, options_};
  Requests requests_{sockets_, options_};
  ObservedSlave slave_{description_, options_};
  DataGroups data_{sockets_, options_, values_, counts_};
  std::vector<Index> parameters_;
  std::vector<std::pair<DataGroup, std::vector<DataType>>> direct_in_;  // from other slaves, with the types sent
  std::vector<std::pair<DataGroup, Endpoint>> direct_out_;              // to other slaves
  Clock::time_point beaten_at_;  // when the state was last requested, which is the heartbeat
  Clock::time_point step_deadline_;
  std::uint32_t steps_ = 1;  // the length of the last step, in units of the time resolution
  bool is_ending_ = false;   // the slave is expected to stop
};

}  // namespace openmi::dcp
