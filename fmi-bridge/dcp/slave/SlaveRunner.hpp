#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fmi-bridge/dcp/protocol/transport/Endpoint.hpp"
#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/dcp/slave/SlaveOptions.hpp"

namespace openmi::dcp {

class Lateness;
class SlaveMachine;

/// Runs a DCP slave: sockets, clock and model around a SlaveMachine. One thread, no allocation per step.
///
/// When the master's TCP connection is lost or its heartbeat stops, the experiment ends: the model is stopped, and the
/// slave goes to ERRORRESOLVED. From there a master can register it again.
class SlaveRunner final {
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
  void Stop();
  /// One round: waits for a PDU until `deadline` at most, and does what it requests.
  void Turn(Transport::Clock::time_point deadline);

  /// The address and port where masters reach the slave.
  /// \pre The description has the transport.
  Endpoint ControlEndpoint(TransportProtocol protocol) const;
  /// The state of the slave and what it counts; `SlaveMachine.hpp` is not installed.
  const SlaveMachine& Machine() const;
  SlaveValues& Values();
  /// Lateness of the steps of the last run in SRT or HRT; its header, `StepClock.hpp`, is not installed.
  const Lateness& StepLateness() const;
  /// Why the last experiment failed; empty when it did not fail.
  const std::string& Problem() const;
  std::uint64_t StepsDone() const;
  /// Whether a master has registered since Run was called.
  bool HasServed() const;
  /// Data PDUs that were dropped because of their sender.
  std::uint64_t RefusedData() const;
  /// PDUs that could not be sent.
  std::uint64_t Unsent() const;
  /// Adds a message to the slave's log, with a template whose only argument is a text: see SlaveModel::Report.
  void Report(LogLevel level, std::string_view message);

 private:
  class Loop;
  SlaveModel& model_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace openmi::dcp
