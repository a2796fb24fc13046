#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "fmi-bridge/export/fmu/shim/FmuProtocol.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi::fmu {

/// The process of one instance of an exported FMU, and the communication with it. No function throws.
///
/// Each instance has a process, so that a fault in one (a crash, global variables of an old solver) cannot affect
/// another.
class Runtime {
 public:
  /// Receives the requests of the process to the importer (ImporterRequest).
  using Server = std::function<void(StateReader& request)>;
  explicit Runtime(Server server) : server_(std::move(server)) {}
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() { Stop(); }

  /// Starts the host program in the resources and reads its greeting. The time limit is half a minute for both, and for
  /// the first request.
  /// \param resources  the folder; absolute
  /// \param problem    receives the reason, if the program does not start
  bool Start(const std::string& resources, std::string& problem);
  /// Ends the connection, and kills the process if it does not end.
  void Stop();

  /// Sends a request and waits for the reply, which is valid until the next call.
  /// \param problem  receives the error of the process, or how the process ended
  /// \returns nothing if the request failed; IsThere shows whether the process still runs
  std::optional<StateReader> Call(const StateWriter& request, std::string& problem);
  /// The longest duration of a call; 0: no limit.
  void SetTimeLimit(std::chrono::nanoseconds limit);
  /// Whether it can be called: it has not ended, and this is no copy of the process that started it (fork), which would
  /// share its connection and its values.
  bool IsThere() const { return channel_ != nullptr && copies_ == CopiesMade(); }
  /// Why it is not there.
  std::string WhyGone() const;
  /// Maps the values.
  /// \param slots  number of values, as the process reports it
  bool MapValues(std::size_t slots, std::string& problem);
  double* Values() { return values_; }
  std::size_t SlotCount() const { return slots_; }

 private:
  void StartThrowing(const std::string& resources);
  /// How often this process was copied since its first ancestor loaded the library.
  static unsigned CopiesMade();

  Server server_;
  std::unique_ptr<WorkerProcess> worker_;
  std::unique_ptr<SharedMemory> memory_;
  std::unique_ptr<Channel> channel_;
  unsigned copies_ = 0;  // made before the start
  std::chrono::nanoseconds limit_{0};
  double* values_ = nullptr;
  std::size_t slots_ = 0;
};

}  // namespace openmi::fmu
