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

#include "fmi-bridge/dcp/slave/DataSenders.hpp"
#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"
#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"
#include "fmi-bridge/dcp/transport/Transport.hpp"

namespace openmi::dcp {

/// How a slave is run.
struct SlaveOptions {
  /// Address of this machine to listen at. Other machines can reach it only when this is not the loopback.
  std::string host = "127.0.0.1";
  std::optional<std::uint16_t> udp_port = {};  ///< 0: any free; nothing: that of the description, else any free
  /// Likewise; any free is that of UDP where nobody has it. A transport that the description lacks is not opened.
  std::optional<std::uint16_t> tcp_port = {};
  /// Hosts beside the master's that data may be sent to, so that nobody can aim the slave at a third, and taken from.
  std::vector<std::string> data_hosts = {};
  /// An extension: in RUNNING (SRT) a step is made when every input group has brought new data, not when the clock
  /// says.
  bool is_lock_step = false;
  /// In soft real time data that are lost are counted and reported, whatever the description's maxConsecMissedPdus
  /// says.
  bool bears_loss_in_soft_real_time = false;
  /// Masters are supervised only where they give a heartbeat, see SlaveMachine::SuperviseOnlyWhoBeats.
  bool supervises_only_who_beats = false;
  /// A master that has registered and then asked for nothing for so long gives way to the next that registers.
  std::chrono::milliseconds longest_idle_registration{10'000};
  /// For masters that number their requests anew after CFG_clear and STC_reset, see SlaveMachine.
  bool allows_restarted_numbers = false;
  bool is_once = false;  ///< Run ends when a master has deregistered
  /// Told what a person should know: one line each.
  std::function<void(const std::string&)> tell = {};
  /// Shown every PDU.
  std::function<void(bool is_sent, Endpoint peer, Bytes pdu)> watch = {};
  /// Where every exchange is written, see ExchangeLog; empty: nowhere. Each experiment begins the file anew.
  std::string exchange_log = {};
  /// Further transports; those of UDP and TCP are made by the runner.
  std::vector<Transport*> transports = {};
};

/// A DCP slave at work: sockets, clock and model around a SlaveMachine. One thread, no allocation per step.
///
/// A master whose TCP connection is lost, or whose heartbeat stops, ends the experiment: the model is stopped, the
/// slave goes to ERRORRESOLVED and can be registered anew from there.
class SlaveRunner {
 public:
  /// Opens the control ports.
  /// \param description, model  borrowed
  /// \throws FileError  a port is in use
  /// \throws ArgumentError  a host is unknown, or the description has no transport
  SlaveRunner(const SlaveDescription& description, SlaveModel& model, SlaveOptions options = {});
  ~SlaveRunner();
  SlaveRunner(const SlaveRunner&) = delete;
  SlaveRunner& operator=(const SlaveRunner&) = delete;

  /// Works until Stop is called (or, once, a master has deregistered).
  void Run();
  /// Lets Run end within 0.1 s. May be called by other threads and from a signal handler.
  void Stop() { must_stop_.store(true, std::memory_order_relaxed); }
  /// One round: waits for a PDU until `deadline` at most, does what it asks for.
  void Turn(Transport::Clock::time_point deadline);

  /// Where masters reach it.
  /// \pre the description has the transport
  Endpoint ControlEndpoint(TransportProtocol protocol) const;
  const SlaveMachine& Machine() const { return machine_; }
  SlaveValues& Values() { return values_; }
  /// Of the steps of the last run in SRT or HRT.
  const Lateness& StepLateness() const { return lateness_; }
  /// Why the last experiment failed; empty when it did not.
  const std::string& Problem() const { return problem_; }
  std::uint64_t StepsDone() const { return steps_done_; }
  /// Whether a master has registered since Run was called.
  bool HasServed() const { return has_served_; }
  /// Data PDUs that were dropped because of who sent them.
  std::uint64_t RefusedData() const { return refused_.data; }
  /// PDUs that could not be sent.
  std::uint64_t Unsent() const;
  /// Adds an entry to the slave's log.
  /// \param arguments  encoded as the template says
  void Log(std::uint8_t log_template, Bytes arguments);
  /// The same by a template that takes one text: see SlaveModel::Report.
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
  /// What the system says of a master over UDP.
  struct MasterSigns {
    std::uint64_t unheard = 0;  ///< of its transport, as seen last
    int refusals = 0;           ///< since the master was heard last
    int reminders = 0;          ///< that are still to be sent, as another master asks for the slave
    Transport::Clock::time_point next_reminder = {};
    Transport::Clock::time_point heard = {};  ///< when the master's last request came
  };
  /// What was refused, and how much of it is told.
  struct Refused {
    std::uint64_t data = 0;  ///< of senders that none are taken from
    std::uint64_t told_data = 0;
    std::uint64_t told_requests = 0;
  };
  class Outlet;

  void OpenControl(std::unique_ptr<Transport> transport, const std::optional<std::uint16_t>& wanted);
  void Handle(Transport& transport, const Arrival& arrival);
  void HandleRequest(const Peer& peer, Bytes pdu);
  void HandleData(const Peer& peer, Bytes pdu);
  /// What others than the master ask for.
  void HandleStranger(const Peer& peer, Bytes pdu);
  /// Data are taken from the master, and from its host or one that is listed where nobody else sends the same.
  bool TakesDataFrom(const Peer& peer, Bytes pdu) const;
  void HandleEnd(const Peer& peer);
  /// Ends the experiment where the master's host says again and again that no program is at its port.
  void WatchMaster();
  void TellStarvation();
  void FollowMaster(const Peer& peer);
  /// Whether a master that has only registered, a while ago, gives way to another that wants to.
  bool GivesWay(Bytes pdu);
  void DoDuties();
  void Duty(State state);
  /// Calls a hook, or does what may throw; fails with its message.
  /// \returns whether it went well
  template <class Work>
  bool Guarded(const char* what, Work work) {
    for (Transport* one : transports_) one->Release();  // nobody has to wait for what takes long
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
  std::vector<Transport*> active_;  // those of this experiment; the others are looked at now and then
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
  std::uint64_t starved_ = 0;  // of the transports, as told
  bool has_served_ = false;
  bool has_run_ = false;  // model hooks were called since the last Reset
  State done_ = State::ALIVE;
  std::uint64_t ticks_ = 0;  // of the time resolution, simulated
  std::uint64_t steps_done_ = 0;
  std::uint64_t steps_before_ = 0;  // of earlier experiments
  std::uint64_t unsent_ = 0;        // data that a transport refused at once
  StepClock clock_;
  std::uint32_t clock_steps_ = 1;  // of the time resolution, in a step of the clock
  std::uint64_t run_ticks_ = 0;    // ticks_ when the clock was started
  bool is_started_ = false;
  Transport::Clock::time_point start_;
  Lateness lateness_;
  std::unique_ptr<RealTimeThread> real_time_;
  bool has_told_missed_ = false;          // data that did not come, in this experiment
  bool has_other_senders_ = false;        // than the master, of data in this experiment
  Transport::Clock::time_point round_{};  // when this turn began to work
  std::unique_ptr<ExchangeLog> exchanges_;
  bool is_in_hook_ = false;
  std::vector<std::pair<Peer, std::vector<std::byte>>> deferred_;  // data that came within a hook
  std::size_t deferred_bytes_ = 0;
  int busy_turns_ = 0;
  std::string problem_;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
