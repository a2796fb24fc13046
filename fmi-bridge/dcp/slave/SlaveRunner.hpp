#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/slave/OutputSender.hpp"
#include "fmi-bridge/dcp/slave/SlaveExperiment.hpp"
#include "fmi-bridge/dcp/slave/SlaveMaster.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace openmi::dcp {

/// Runs a DCP slave: sockets, clock and model around a SlaveMachine. One thread, no allocation per step.
///
/// When the master's TCP connection is lost or its heartbeat stops, the experiment ends: the model is stopped, and the
/// slave goes to ERRORRESOLVED. From there a master can register it again.
class SlaveRunner final : ISlaveOutlet {
 public:
  /// Opens the control ports.
  /// \param description  borrowed
  /// \param model  borrowed
  /// \throws FileError  a port is in use
  /// \throws ArgumentError  a host is unknown, or the description has no transport
  SlaveRunner(const SlaveDescription& description, SlaveModel& model, SlaveOptions options = {});
  ~SlaveRunner() override;
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
  Endpoint ControlEndpoint(TransportProtocol protocol) const { return ports_.Control(protocol); }
  const SlaveMachine& Machine() const { return machine_; }
  SlaveValues& Values() { return values_; }
  /// Lateness of the steps of the last run in SRT or HRT.
  const Lateness& StepLateness() const { return timing_.StepLateness(); }
  /// Why the last experiment failed; empty when it did not fail.
  const std::string& Problem() const { return reports_.Problem(); }
  std::uint64_t StepsDone() const { return experiment_.StepsDone(); }
  /// Whether a master has registered since Run was called.
  bool HasServed() const { return has_served_; }
  /// Data PDUs that were dropped because of their sender.
  std::uint64_t RefusedData() const { return master_.RefusedData(); }
  /// PDUs that could not be sent.
  std::uint64_t Unsent() const { return ports_.Unsent(); }
  /// Adds a message to the slave's log, with a template whose only argument is a text: see SlaveModel::Report.
  void Report(LogLevel level, std::string_view message) { reports_.Report(level, message); }

 private:
  void Reply(Bytes pdu) override { Send(master_.Asker(), pdu); }
  void Notify(Bytes pdu) override { Send(master_.Receiver(), pdu); }
  void Missed(const MissedData& data) override { reports_.Missed(data, experiment_.Time()); }
  void Send(const Peer& peer, Bytes pdu) const;
  void Handle(const Peer& peer, const Arrival& arrival);
  void HandleRequest(const Peer& peer, Bytes pdu);
  /// Whether another master may register: the present one has only registered, and some time ago. Ends its experiment.
  bool GivesWay(Bytes pdu);
  void DoDuties();
  void Duty(State state);
  /// Calls a hook or other work that may throw; fails with its message.
  /// \returns whether it returned normally
  template <class Work>
  bool Guarded(const char* what, Work work);
  void CloseData();
  void Compute();
  bool Step(std::uint32_t length);
  void StepOnTime();
  void SendOutputs(bool initialization, std::uint64_t since_start = 0);
  bool IsClocked() const;
  void Drain();
  void AwaitInputs();
  void Attend();

  SlaveModel& model_;
  SlaveOptions options_;
  SlaveValues values_;
  SlaveMachine machine_;
  SlaveReports reports_;
  SlaveSockets ports_;
  SlaveMaster master_;
  OutputSender outputs_;
  RealTimeSteps timing_;
  SlaveExperiment experiment_;
  State done_ = State::ALIVE;
  bool has_served_ = false;
  bool has_run_ = false;                  // model hooks were called since the last Reset
  Transport::Clock::time_point round_{};  // when the work of this turn began
  int busy_turns_ = 0;
  bool is_in_hook_ = false;
  std::vector<std::pair<Peer, std::vector<std::byte>>> deferred_;  // data that arrived during a hook
  std::size_t deferred_bytes_ = 0;
  std::atomic<bool> must_stop_ = false;
};

}  // namespace openmi::dcp
