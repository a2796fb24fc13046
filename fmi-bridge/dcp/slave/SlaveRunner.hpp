#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "fmi-bridge/dcp/slave/DataSenders.hpp"
#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"
#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace openmi::dcp {

/// How a slave is run.
struct SlaveOptions {
  /// Address of this machine where the slave listens. Other machines can reach it only when this is not the loopback.
  std::string host = "127.0.0.1";
  /// 0: any free port; nothing: that of the description, else any free port
  std::optional<std::uint16_t> udp_port = {};
  /// Likewise for TCP. Where the port may be any, it is that of UDP if it is free. A transport that the description
  /// lacks is not opened.
  std::optional<std::uint16_t> tcp_port = {};
  /// Hosts other than the master's that data may be sent to and taken from. Without the list a program could make the
  /// slave send data to any third host.
  std::vector<std::string> data_hosts = {};
  /// An extension of DCP 1.0: in RUNNING (SRT) the slave makes a step when every input group has brought new data, not
  /// when the clock reaches the next step.
  bool is_lock_step = false;
  /// In soft real time, lost data are only counted and reported, whatever the description's maxConsecMissedPdus states.
  bool bears_loss_in_soft_real_time = false;
  /// Masters are supervised only where they send a heartbeat, see SlaveMachine::SuperviseOnlyWhoBeats.
  bool supervises_only_who_beats = false;
  /// A master that has registered and then requested nothing for this long is replaced by the next that registers.
  std::chrono::milliseconds longest_idle_registration{10'000};
  /// For masters that restart the numbers of their requests after CFG_clear and STC_reset, see
  /// SlaveMachine::AllowRestartedNumbers.
  bool allows_restarted_numbers = false;
  bool is_once = false;  ///< Run ends when a master has deregistered
  /// Called with each message for the operator; one line each.
  std::function<void(const std::string&)> tell = {};
  /// Called with every PDU received or sent, and with the address of the other side.
  std::function<void(bool is_sent, Endpoint peer, Bytes pdu)> watch = {};
  /// The file that every exchange is written to, see ExchangeLog; empty: none. Each experiment overwrites it.
  std::string exchange_log = {};
  /// Further transports, borrowed. The runner makes those of UDP and TCP itself.
  std::vector<Transport*> transports = {};
};

/// Runs a DCP slave: sockets, clock and model around a SlaveMachine. One thread, no allocation per step.
///
/// When the master's TCP connection is lost or its heartbeat stops, the experiment ends: the model is stopped, and the
/// slave goes to ERRORRESOLVED. From there a master can register it again.
class SlaveRunner {
 public:
  /// Opens the control ports.
  /// \param description  borrowed
  /// \param model  borrowed
  /// \throws FileError  a port is in use
  /// \throws ArgumentError  a host is unknown, or the description has no transport
  SlaveRunner(const SlaveDescription& description, SlaveModel& model, SlaveOptions options = {});
  ~SlaveRunner();
  SlaveRunner(const SlaveRunner&) = delete;
  SlaveRunner& operator=(const SlaveRunner&) = delete;

  /// Runs the slave until Stop is called or, with `SlaveOptions::is_once`, a master has deregistered.
  void Run();
  /// Ends Run within 0.1 s. May be called by other threads and from a signal handler.
  void Stop() { must_stop_.store(true, std::memory_order_relaxed); }
  /// One round: waits for a PDU until `deadline` at most, and does what it requests.
  void Turn(Transport::Clock::time_point deadline);

  /// The address and port where masters reach the slave.
  /// \pre The description has the transport.
  Endpoint ControlEndpoint(TransportProtocol protocol) const;
  const SlaveMachine& Machine() const { return machine_; }
  SlaveValues& Values() { return values_; }
  /// Lateness of the steps of the last run in SRT or HRT.
  const Lateness& StepLateness() const { return lateness_; }
  /// Why the last experiment failed; empty when it did not fail.
  const std::string& Problem() const { return problem_; }
  std::uint64_t StepsDone() const { return steps_done_; }
  /// Whether a master has registered since Run was called.
  bool HasServed() const { return has_served_; }
  /// Data PDUs that were dropped because of their sender.
  std::uint64_t RefusedData() const { return refused_.data; }
  /// PDUs that could not be sent.
  std::uint64_t Unsent() const;
  /// Adds an entry to the slave's log.
  /// \param arguments  encoded as the template requires
  void Log(std::uint8_t log_template, Bytes arguments);
  /// Adds a message to the slave's log, with a template whose only argument is a text: see SlaveModel::Report.
  void Report(LogLevel level, std::string_view message);

 private:
  struct Target {
    Transport* transport = nullptr;
    Door door = 0;
    Endpoint to;
  };
  struct Sending {
    std::uint16_t data_id = 0;
    OutputGroup* group = nullptr;
    bool at_initialization = false;
    bool in_run = false;
    std::uint32_t every = 1;  // steps of the clock
    std::vector<Target> targets;
  };
  struct Control {
    Transport* transport = nullptr;
    Door door = 0;
    std::uint32_t address = 0;
  };
  /// What the operating system reports of a master over UDP.
  struct MasterSigns {
    std::uint64_t unheard = 0;  ///< count of the master's transport when last read
    int refusals = 0;           ///< since the last request of the master
    int reminders = 0;          ///< still to be sent, because another master requests the slave
    Transport::Clock::time_point next_reminder = {};
    Transport::Clock::time_point heard = {};  ///< when the master's last request arrived
  };
  /// What was refused, and how much of it was reported.
  struct Refused {
    std::uint64_t data = 0;  ///< data PDUs of senders that are not admitted
    std::uint64_t reported_data = 0;
    std::uint64_t reported_requests = 0;
  };
  class Outlet;

  void OpenControl(std::unique_ptr<Transport> transport, const std::optional<std::uint16_t>& wanted);
  void Handle(Transport& transport, const Arrival& arrival);
  void HandleRequest(const Peer& peer, Bytes pdu);
  void HandleData(const Peer& peer, Bytes pdu);
  /// Handles requests of others than the master.
  void HandleStranger(const Peer& peer, Bytes pdu);
  /// Whether to take a data PDU of `peer`: it is the master, or it is on the master's host or a listed host and no
  /// other peer sends the same data.
  bool TakesDataFrom(const Peer& peer, Bytes pdu) const;
  void HandleEnd(const Peer& peer);
  /// Ends the experiment where the master's host reports repeatedly that no program is at the master's port.
  void WatchMaster();
  void ReportStarvation();
  void FollowMaster(const Peer& peer);
  /// Whether another master may register: the present one has only registered, and some time ago. Ends its experiment.
  bool GivesWay(Bytes pdu);
  void DoDuties();
  void Duty(State state);
  /// Calls a hook or other work that may throw; fails with its message.
  /// \returns whether it returned normally
  template <class Work>
  bool Guarded(const char* what, Work work) {
    for (Transport* one : transports_) one->Release();  // nothing is held back during work that takes long
    is_in_hook_ = true;
    try {
      work();
      is_in_hook_ = false;
      for (Transport* one : transports_) one->Hold();
      return true;
    } catch (const std::exception& error) {
      FailBy(what, error.what());
    } catch (...) {
      FailBy(what, "an exception of an unknown type");
    }
    is_in_hook_ = false;
    return false;
  }
  void FailBy(const char* what, const char* why);
  void OpenInputs();
  void ConnectTargets();
  void CloseData();
  void BeginExchangeLog();
  void LogExchange(VariableKind way, std::uint64_t ticks);
  void Compute();
  void SendOutputs(bool initialization, bool all);
  void Send(Sending& sending);
  void ChooseActive();
  void StartAt(std::int64_t unix_seconds);
  void LeaveMaster();
  void StepOnTime();
  bool IsClocked() const;
  void Drain();
  void AwaitInputs();
  void ReportMissed(const MissedData& data);
  std::string DescribeMissed(const MissedData& data) const;
  void Attend();
  void TakeDeferred();
  bool Accepts(const CfgNetworkInformation& pdu) const;
  bool IsAllowedHost(std::uint32_t address) const;
  Transport* TransportOf(TransportProtocol protocol) const;
  SlaveMachine::Moment Now() const;
  void Tell(const std::string& line) const;
  void Fail(ErrorCode code, const std::string& why);

  const SlaveDescription& description_;
  SlaveModel& model_;
  SlaveOptions options_;
  std::uint32_t host_ = kLoopback;
  std::vector<std::uint32_t> data_hosts_;
  SlaveValues values_;
  std::unique_ptr<Outlet> outlet_;
  SlaveMachine machine_;
  std::vector<std::unique_ptr<Transport>> owned_;
  std::vector<Transport*> transports_;
  std::vector<Transport*> active_;  // those of this experiment; the others are read now and then
  Transport::Clock::time_point next_look_;
  std::vector<Control> controls_;
  std::vector<std::pair<Transport*, Door>> data_doors_;
  std::vector<Sending> sendings_;
  std::vector<std::byte> buffer_;
  std::optional<Peer> master_;
  Peer asker_;
  bool is_connection_lost_ = false;
  MasterSigns signs_;
  DataSenders senders_;
  Refused refused_;
  std::uint64_t starved_ = 0;  // of all transports, as last reported
  bool has_served_ = false;
  bool has_run_ = false;  // model hooks were called since the last Reset
  State done_ = State::ALIVE;
  std::uint64_t ticks_ = 0;  // of the time resolution, simulated
  std::uint64_t steps_done_ = 0;
  std::uint64_t steps_before_ = 0;  // of earlier experiments
  std::uint64_t unsent_ = 0;        // data PDUs that a transport refused at once
  StepClock clock_;
  std::uint32_t clock_steps_ = 1;  // of the time resolution, in a step of the clock
  std::uint64_t run_ticks_ = 0;    // the value of ticks_ when the clock was started
  bool is_started_ = false;
  Transport::Clock::time_point start_;
  Lateness lateness_;
  std::unique_ptr<RealTimeThread> real_time_;
  bool has_reported_missed_ = false;      // a loss of data was reported in this experiment
  bool has_other_senders_ = false;        // peers other than the master send data in this experiment
  Transport::Clock::time_point round_{};  // when the work of this turn began
  std::unique_ptr<ExchangeLog> exchanges_;
  bool is_in_hook_ = false;
  std::vector<std::pair<Peer, std::vector<std::byte>>> deferred_;  // data that arrived during a hook
  std::size_t deferred_bytes_ = 0;
  int busy_turns_ = 0;
  std::string problem_;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
