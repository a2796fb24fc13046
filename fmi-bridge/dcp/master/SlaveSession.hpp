#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"
#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

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
/// A step allocates nothing. A session is not for several threads at once. These calls also send the heartbeat of a
/// slave that supervises its master. Where the time between two of them may exceed the slave's heartbeat interval, call
/// Beat in between.
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
  /// \param inputs  sent before each step; tunable parameters may be among them
  /// \param parameters  set in CONFIGURATION; structural parameters may be among them
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
  void SetTakeOver(bool sends) { takes_over_ = sends; }
  /// Where the slave receives data.
  Endpoint DataPlace() const { return {options_.slave.address, options_.slave_data_port}; }

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
  void Synchronize();
  /// Brings the slave to RUNNING.
  /// \param start_time  Unix seconds at which SRT and HRT begin to run; 0: at once
  void Run(std::int64_t start_time);
  /// Sends a heartbeat when one is due, for use where no other call is made for long. The next call that may throw
  /// reports what went wrong.
  void Beat() noexcept;
  /// How often the session asks for the state: a third of the slave's heartbeat interval, or the time-out of answers
  /// where that is shorter.
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
  /// \returns false when none arrived in time; the last outputs then stay
  bool StepInRealTime(Clock::time_point due, Clock::duration slack);

  /// Stops the slave in any state and leaves it free for the next master. Never throws.
  /// \returns what kept the slave from being stopped or deregistered; empty where an earlier call has already reported
  ///   that the slave is gone
  std::string Stop() noexcept;

  State LastState() const { return state_; }
  const SessionCounts& Counts() const { return counts_; }
  const SessionOptions& Options() const { return options_; }

 private:
  struct Group {
    std::uint16_t id = 0;
    bool is_tunable = false;  ///< parameters, whose ids are counted separately
    bool stands_by = false;   ///< an input that another slave sends
    DataLayout layout;
    std::vector<Index> variables;
    Scope scope = Scope::InitializationAndRun;
    std::uint32_t steps = 1;
    std::uint16_t sequence = 0;  ///< of the next PDU to send
    SequenceWatch watch;
    bool is_fresh = false;  ///< something arrived since MarkStale
  };
  /// What the slave exchanges with another slave.
  struct DirectGroup {
    std::uint16_t id = 0;
    std::vector<Index> variables;
    std::vector<DataType> sent_as;  // for inputs
    Endpoint to;                    // for outputs
  };
  struct Answer {
    bool is_here = false;
    bool is_ack = false;
    bool was_received = false;  ///< the slave took the request, but its answer is unknown
    std::uint16_t sequence = 0;
    std::uint16_t expected = 0;
    std::size_t entries = 0;  ///< log entries in the answer
    ErrorCode error = ErrorCode::NONE;
    State state = State::ALIVE;

    /// Whether to send the request again: the slave was not ready for it, or its answer was lost.
    bool IsEarly() const {
      return was_received || error == ErrorCode::INVALID_STATE_ID ||
             error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
             error == ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS;
    }
  };
  [[noreturn]] void Fail(const std::string& expected, const std::string& found, const std::string& remedy) const;
  std::string SlaveName() const;
  void AddGroups(std::span<const Index> variables, bool are_inputs, bool stand_by);
  /// Where the slave receives the data of a group.
  Endpoint PlaceOf(const Group& group) const;
  Group* GroupOf(std::vector<Group>& groups, std::uint16_t id);

  // Requests.
  template <class Request>
  void Send(Request request) {
    request.sequence = sequence_;
    request.receiver = options_.id;
    SendRequest(request);
  }
  void SendRequest(const Pdu& pdu);
  /// \param patience  until when the slave may be busy; it counts as gone earlier only where the operating system
  ///   reports it
  Answer Await(Clock::time_point patience = {});
  template <class Request>
  void Configure(Request request, const std::string& what);
  State AskState(Clock::time_point patience = {});
  ErrorCode AskError();
  void Command(PduType type, State from, State goal, Clock::time_point deadline);
  void SendCommand(PduType type, State from);
  void FinishCommand(PduType type, State from, State goal, Clock::time_point deadline);
  void WaitFor(State goal, Clock::time_point deadline, std::string_view what);
  bool HasReached(State goal) const { return (seen_ >> static_cast<unsigned>(goal) & 1U) != 0; }
  void RequireHealth();
  /// Sends a heartbeat when one is due.
  void BeatIfDue();
  /// In real time: asks for the state where nothing has arrived for longer than outputs take.
  /// \param step  length of a step of this side
  void AskIfSilent(Clock::duration step);

  // Data.
  void OpenDoors();
  /// \param all  whether to send the inputs of other slaves (`stands_by`) too
  void SendInputs(bool all = false);
  void MarkStale();
  bool AreFresh(bool at_initialization) const;
  void AwaitOutputs(bool at_initialization, Clock::time_point deadline, std::string_view when);
  void ConfigureGroups();
  void ConfigureDirect();
  void ConfigureOutput(std::uint16_t id, std::size_t position, Index variable);
  void ConfigureSteps(std::uint16_t id, std::uint32_t steps);
  /// TCP: the connection that carries data to a port of the slave.
  Door DoorTo(std::uint16_t port);
  /// Connects by TCP.
  /// \throws ModelError  the connection fails; names the slave
  Door Reach(Transport& transport, Endpoint to) const;
  void RunFrom(State from, State goal, std::int64_t time);
  void ConfigureNetwork(PduType type, std::uint16_t id, Endpoint where);
  void ConfigureLog();
  bool ReportsMissedData() const;
  void TakeMissedData(Bytes arguments);
  /// The inputs that were sent last, with their sequence numbers.
  std::string LastInputs() const;

  /// Takes one PDU.
  /// \returns false at the deadline
  bool Pump(Clock::time_point deadline);
  void Take(const Arrival& arrival);
  /// \returns whether this is the first data PDU taken with its id
  bool TakeData(const Dat& data);
  /// Takes an entry of the slave's log.
  /// \returns how many bytes its arguments have; nothing for an unknown template
  std::optional<std::size_t> TakeLog(std::uint8_t log_template, Bytes arguments);
  /// Asks a slave that does not notify of its log for all entries.
  void FetchLog();
  Clock::time_point After(std::chrono::milliseconds time) const { return Clock::now() + time; }

  const SlaveDescription& description_;
  SessionOptions options_;
  std::unique_ptr<Transport> control_transport_;
  std::unique_ptr<Transport> data_transport_;  // null: the control transport carries data too
  std::vector<Transport*> transports_;
  /// The transports whose PDUs may be held back and sent together. With two transports one would overtake the other.
  std::span<Transport* const> Together() const {
    return transports_.size() == 1 ? std::span<Transport* const>(transports_) : std::span<Transport* const>();
  }
  Door control_socket_ = -1;
  Door data_in_ = -1;
  Door data_out_ = -1;
  Door tunable_out_ = -1;
  bool is_open_ = false;
  bool is_registered_ = false;
  bool is_gone_ = false;
  bool has_hung_up_ = false;  // gone because its connection ended
  bool is_ending_ = false;    // the slave is expected to stop

  SlaveValues values_;
  std::vector<Index> parameters_;
  std::vector<Group> inputs_;
  std::vector<Group> outputs_;
  std::vector<DirectGroup> direct_in_;
  std::vector<DirectGroup> direct_out_;
  bool takes_over_ = false;

  std::uint16_t sequence_ = 1;
  std::vector<std::byte> pending_;  // the request that waits for its answer
  std::size_t pending_size_ = 0;
  Clock::time_point sent_at_;
  Clock::time_point beaten_at_;     // when the state was last requested, which is the heartbeat
  std::uint64_t heard_ = 0;         // PDUs received from the slave
  std::uint64_t heard_before_ = 0;  // the value of heard_ at the last look, in real time
  Clock::time_point silent_since_;
  std::vector<std::byte> buffer_;  // of data PDUs
  Answer answer_;
  State state_ = State::ALIVE;
  Clock::time_point step_deadline_;
  std::uint32_t seen_ = 0;          // states reached since the last command, by notifications and answers
  std::string complaint_;           // the last error in the slave's log
  bool has_missed_inputs_ = false;  // reported since the inputs were last sent
  SessionCounts counts_;
};

}  // namespace openmi::dcp
