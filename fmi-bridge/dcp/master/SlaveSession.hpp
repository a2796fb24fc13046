#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "fmi-bridge/dcp/pdu/DataPdu.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"
#include "fmi-bridge/dcp/transport/Transport.hpp"

namespace openmi::dcp {

/// One slave as its master sees it: from registration to deregistration.
///
/// Call in this order: Plan; Register, Configure (or Prepare and Connect, where slaves exchange data directly: all of
/// them are prepared before the first connects), Initialize (as often as wanted), Synchronize, Run; then steps; Stop.
/// Every call waits at most as long as the options say and throws ModelError with what was expected, what was found
/// and a remedy; afterwards only Stop may be called, which never throws. Nothing is allocated in a step. Not for
/// several threads at once. A slave that supervises its master gets its heartbeat in these calls: where more than it
/// bears may lie between two of them, Beat has to be called.
class SlaveSession {
 public:
  using Clock = Transport::Clock;

  /// \param description  borrowed
  /// \throws FileError  no port of this machine can be had
  SlaveSession(const SlaveDescription& description, SessionOptions options);
  ~SlaveSession();
  SlaveSession(const SlaveSession&) = delete;
  SlaveSession& operator=(const SlaveSession&) = delete;

  /// Values of all variables, at their start values at first: of an input, what is sent next; of an output, what came
  /// last.
  SlaveValues& Values() { return values_; }
  /// Says what is exchanged: positions in the description's variables.
  /// \pre before Configure; sizes of arrays are final
  /// \param inputs      sent before each step; tunable parameters may be among them
  /// \param parameters  whose values are set in CONFIGURATION, structural ones among them
  /// \param stand_by    inputs that come from elsewhere: sent at initialization, and while SetTakeOver says so
  void Plan(std::span<const Index> inputs, std::span<const Index> outputs, std::span<const Index> parameters,
            std::span<const Index> stand_by = {});
  /// The slave sends outputs to another, too, in the steps of this session's options.
  /// \pre after Plan, before Configure
  void SendDirectly(std::uint16_t data_id, std::span<const Index> outputs, Endpoint to);
  /// The slave takes inputs from another.
  /// \pre as SendDirectly
  /// \param sent_as  the types that the other has
  void ReceiveDirectly(std::uint16_t data_id, std::span<const Index> inputs, std::span<const DataType> sent_as);
  /// Whether this side sends the inputs that stand by, from the next step on.
  void SetTakeOver(bool sends) { takes_over_ = sends; }
  /// Where the slave takes data.
  Endpoint DataPlace() const { return {options_.slave.address, options_.slave_data_port}; }

  void Register();
  void Configure() {
    Prepare();
    Connect();
  }
  /// Settings, and on to PREPARED, where it can receive.
  void Prepare();
  /// On to CONFIGURED; it is connected with all whom it sends data to.
  void Connect();
  /// Sends the inputs, lets the slave initialize, takes the outputs.
  void Initialize();
  /// Through SYNCHRONIZING to SYNCHRONIZED.
  void Synchronize();
  /// To RUNNING.
  /// \param start_time  Unix seconds at which SRT and HRT begin to run; 0: at once
  void Run(std::int64_t start_time);
  /// Gives a sign of life when one is due, where nothing else is called for long. What goes wrong is told by the next
  /// call that may throw.
  void Beat() noexcept;
  /// How often the state is asked for: a third of what the slave bears without a sign of life, or the time-out of
  /// answers.
  Clock::duration PollInterval() const;

  /// NRT: a step of `steps` times the time resolution, in three parts so that several slaves compute at once: all
  /// begin; each is awaited, and asked for its outputs; all finish. Where slaves send data to each other, none may be
  /// asked for its outputs before all have begun.
  void BeginStep(std::uint32_t steps);
  void AskForOutputs();
  void FinishStep();
  /// Lock-step: inputs go out; the outputs of the step are awaited.
  void BeginLockStep();
  void FinishLockStep();
  /// SRT, HRT: inputs go out; waits for outputs that arrive from `due` - `slack` on, until `due` + `slack`.
  /// \returns false when none came in time: the last ones stay
  bool StepInRealTime(Clock::time_point due, Clock::duration slack);

  /// Ends politely whatever goes on: stops the slave and leaves it free for the next master. Never throws.
  /// \returns what kept the slave from being stopped or left, where no call before has told that it is gone
  std::string Stop() noexcept;

  State LastState() const { return state_; }
  const SessionCounts& Counts() const { return counts_; }
  const SessionOptions& Options() const { return options_; }

 private:
  struct Group {
    std::uint16_t id = 0;
    bool is_tunable = false;  ///< parameters, with ids of their own
    bool stands_by = false;   ///< an input that comes from elsewhere
    DataLayout layout;
    std::vector<Index> variables;
    Scope scope = Scope::InitializationAndRun;
    std::uint32_t steps = 1;
    std::uint16_t sequence = 0;  ///< of the next PDU that is sent
    SequenceWatch watch;
    bool is_fresh = false;  ///< something came since MarkStale
  };
  /// What is exchanged with another slave.
  struct DirectGroup {
    std::uint16_t id = 0;
    std::vector<Index> variables;
    std::vector<DataType> sent_as;  // of inputs
    Endpoint to;                    // of outputs
  };
  struct Answer {
    bool is_here = false;
    bool is_ack = false;
    bool was_received = false;  ///< nobody knows the answer, but the request had come through
    std::uint16_t sequence = 0;
    std::uint16_t expected = 0;
    std::size_t entries = 0;  ///< of the log
    ErrorCode error = ErrorCode::NONE;
    State state = State::ALIVE;

    /// Whether the request came before the slave was ready for it, or its answer was lost: to be asked again.
    bool IsEarly() const {
      return was_received || error == ErrorCode::INVALID_STATE_ID ||
             error == ErrorCode::PROTOCOL_ERROR_PDU_NOT_ALLOWED_IN_THIS_STATE ||
             error == ErrorCode::PROTOCOL_ERROR_STATE_TRANSITION_IN_PROGRESS;
    }
  };
  [[noreturn]] void Fail(const std::string& expected, const std::string& found, const std::string& remedy) const;
  std::string SlaveName() const;
  void AddGroups(std::span<const Index> variables, bool are_inputs, bool stand_by);
  /// Where the slave takes what a group carries.
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
  /// \param patience  until then the slave may be busy: it counts as gone earlier only where the system says so
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
  /// Gives the slave a sign of life when one is due.
  void BeatIfDue();
  /// In real time: asks for the state where nothing came for longer than outputs take.
  /// \param step  of this side
  void AskIfSilent(Clock::duration step);

  // Data.
  void OpenDoors();
  /// \param all  those that stand by, too
  void SendInputs(bool all = false);
  void MarkStale();
  bool AreFresh(bool at_initialization) const;
  void AwaitOutputs(bool at_initialization, Clock::time_point deadline, std::string_view when);
  void ConfigureGroups();
  void ConfigureDirect();
  void ConfigureOutput(std::uint16_t id, std::size_t position, Index variable);
  void ConfigureSteps(std::uint16_t id, std::uint32_t steps);
  /// TCP: the connection for what goes to a port of the slave.
  Door DoorTo(std::uint16_t port);
  /// Connects by TCP.
  /// \throws ModelError  naming the slave
  Door Reach(Transport& transport, Endpoint to) const;
  void RunFrom(State from, State goal, std::int64_t time);
  void ConfigureNetwork(PduType type, std::uint16_t id, Endpoint where);
  void ConfigureLog();
  bool ReportsMissedData() const;
  void TakeMissedData(Bytes arguments);
  /// The inputs that were sent last, with their numbers.
  std::string LastInputs() const;

  /// Takes one PDU.
  /// \returns false at the deadline
  bool Pump(Clock::time_point deadline);
  void Take(const Arrival& arrival);
  /// \returns whether they are the first that are taken of their id
  bool TakeData(const Dat& data);
  /// An entry of the slave's log.
  /// \returns how many bytes its arguments have; nothing for an unknown template
  std::optional<std::size_t> TakeLog(std::uint8_t log_template, Bytes arguments);
  /// Asks a slave that does not notify of its log for all that is there.
  void FetchLog();
  Clock::time_point After(std::chrono::milliseconds time) const { return Clock::now() + time; }

  const SlaveDescription& description_;
  SessionOptions options_;
  std::unique_ptr<Transport> control_transport_;
  std::unique_ptr<Transport> data_transport_;  // null: the same as for control
  std::vector<Transport*> transports_;
  /// Whose PDUs may wait for each other: of two transports one would overtake the other.
  std::span<Transport* const> Together() const {
    return transports_.size() == 1 ? std::span<Transport* const>(transports_) : std::span<Transport* const>();
  }
  Door control_door_ = -1;
  Door data_in_ = -1;
  Door data_out_ = -1;
  Door tunable_out_ = -1;
  bool is_open_ = false;
  bool is_registered_ = false;
  bool is_gone_ = false;
  bool has_hung_up_ = false;  // gone, as its connection ended
  bool is_ending_ = false;    // a slave that stops is what is wanted

  SlaveValues values_;
  std::vector<Index> parameters_;
  std::vector<Group> inputs_;
  std::vector<Group> outputs_;
  std::vector<DirectGroup> direct_in_;
  std::vector<DirectGroup> direct_out_;
  bool takes_over_ = false;

  std::uint16_t sequence_ = 1;
  std::vector<std::byte> pending_;  // the request under way
  std::size_t pending_size_ = 0;
  Clock::time_point sent_at_;
  Clock::time_point beaten_at_;     // when the state was asked for, which is the heartbeat
  std::uint64_t heard_ = 0;         // PDUs of the slave
  std::uint64_t heard_before_ = 0;  // of them when it was looked last, in real time
  Clock::time_point silent_since_;
  std::vector<std::byte> buffer_;  // data PDUs
  Answer answer_;
  State state_ = State::ALIVE;
  Clock::time_point step_deadline_;
  std::uint32_t seen_ = 0;          // states notified or told since the last command
  std::string complaint_;           // the last error of the slave's log
  bool has_missed_inputs_ = false;  // reported since the inputs were sent last
  SessionCounts counts_;
};

}  // namespace openmi::dcp
