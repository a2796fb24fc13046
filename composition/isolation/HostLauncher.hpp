#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/channel/WorkerProcess.hpp"
#include "composition/hosts/Placement.hpp"
#include "composition/hosts/WorkerPort.hpp"
#include "composition/isolation/RowPath.hpp"

namespace openmi {

/// A worker that is starting on another host.
struct StartingWorker {
  std::string host;
  std::string group;
  std::string who;                         ///< for messages: "group 'lowland' (creek, gauge) on node2"
  std::unique_ptr<WorkerProcess> command;  ///< that starts it, and stays as long as it
  std::uint64_t ticket = 0;
  std::chrono::steady_clock::time_point until = {};  ///< then it is given up
};

/// Starts workers on other hosts with the launcher of a placement, and lets them in when they connect.
class HostLauncher {
 public:
  /// Who is to be started.
  struct Wanted {
    std::string host;
    std::string group;                    ///< for the launcher
    std::string who;                      ///< for messages
    std::uint64_t memory = 0;             ///< limit of its address space, bytes; 0: none
    std::vector<std::string> words = {};  ///< further arguments of `openmi worker`
  };
  explicit HostLauncher(Placement placement);
  HostLauncher(const HostLauncher&) = delete;
  HostLauncher& operator=(const HostLauncher&) = delete;

  /// Starts the command; does not wait for the worker.
  /// \throws Error  it cannot be started, or no address for workers is given
  StartingWorker Launch(const Wanted& wanted);
  /// \param waits  a few milliseconds; meanwhile others may connect, too
  /// \returns its process, connected; null: it is not there yet
  /// \throws FileError  its command ended or was stopped, or the worker did not connect in time
  std::unique_ptr<WorkerProcess> TakeIfThere(StartingWorker& starting, bool waits = true);
  /// Waits until it is there.
  /// \throws FileError  see TakeIfThere
  std::unique_ptr<WorkerProcess> Await(StartingWorker& starting);
  /// Where and with which key workers that were launched here connect to each other.
  /// \pre  one was launched
  WorkerMeeting Meeting() const { return {placement_.listen, port_->Key().ForRows().Text()}; }

 private:
  std::vector<std::string> Words(const StartingWorker& starting, std::vector<std::string> arguments) const;

  Placement placement_;
  std::unique_ptr<WorkerPort> port_;  // null: none was launched
};

}  // namespace openmi
