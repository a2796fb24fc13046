#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "fmi-bridge/fmu-export/shim/FmuProtocol.hpp"
#include "timespace/StateReader.hpp"

namespace openmi::fmu {

/// The process behind one instance of an exported FMU, and the talk with it. One for each instance: what one does wrong
/// (a crash, global variables of an old solver) cannot reach another. No function throws.
class Runtime {
 public:
  /// Receives what the process asks of the importer (ImporterRequest).
  using Server = std::function<void(StateReader& request)>;
  explicit Runtime(Server server) : server_(std::move(server)) {}
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() { Stop(); }

  /// Starts the program that lies among the resources and takes its greeting; both, and the first request, have half a
  /// minute.
  /// \param resources  the folder; absolute
  /// \param problem    receives why, if it does not start
  bool Start(const std::string& resources, std::string& problem);
  /// Lets the process go, and ends it where it does not go.
  void Stop();

  /// Sends a request and waits for the reply, which is good until the next call.
  /// \param problem  receives what went wrong there, or what became of the process
  /// \returns nothing where it failed; IsThere tells whether the process ended
  std::optional<StateReader> Call(const StateWriter& request, std::string& problem);
  /// The longest that a call may take; 0: for ever.
  void SetTimeLimit(std::chrono::nanoseconds limit);
  bool IsThere() const { return channel_ != nullptr; }
  /// Maps the values. \param slots  how many the process has room for, as it says
  bool MapValues(std::size_t slots, std::string& problem);
  double* Values() { return values_; }
  std::size_t SlotCount() const { return slots_; }

 private:
  void StartThrowing(const std::string& resources);

  Server server_;
  std::unique_ptr<WorkerProcess> worker_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<Channel> channel_;
  std::chrono::nanoseconds limit_{0};
  double* values_ = nullptr;
  std::size_t slots_ = 0;
};

}  // namespace openmi::fmu
