#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/channel/WorkerProcess.hpp"
#include "composition/hosts/Placement.hpp"
#include "composition/hosts/WorkerPort.hpp"
#include "composition/isolation/RowPath.hpp"

namespace openmi {

/// A worker of a group, or all its ranks, that is starting.
struct StartingWorker {
  LaunchedGroup group;
  std::string who;                                   ///< for messages: "group 'lowland' (creek, gauge) on node2"
  std::unique_ptr<WorkerProcess> command;            ///< that starts it, and stays as long as it
  std::uint64_t ticket = 0;                          ///< of the first rank; the others have the next ones
  std::vector<FileDescriptor> connections = {};      ///< of the ranks that are there, in their order
  std::chrono::steady_clock::time_point until = {};  ///< then it is given up
};

/// Starts workers with the launcher of a placement, on other hosts, and lets them in when they connect. Ranks are
/// started in this way on this host, too.
class HostLauncher {
 public:
  explicit HostLauncher(Placement placement);
  HostLauncher(const HostLauncher&) = delete;
  HostLauncher& operator=(const HostLauncher&) = delete;

  /// Starts the command; does not wait for the worker.
  /// \param who     for messages
  /// \param memory  limit of its address space, bytes; 0: none
  /// \param words   further arguments of `openmi worker`
  /// \throws Error  it cannot be started, or no address for workers is given
  StartingWorker Launch(const LaunchedGroup& group, const std::string& who, std::uint64_t memory,
                        const std::vector<std::string>& words = {});
  /// \param waits  a few milliseconds; meanwhile others may connect, too
  /// \returns its process, connected, one for each rank; empty: it is not there yet
  /// \throws FileError  its command ended or was stopped, or the worker did not connect in time
  std::vector<std::unique_ptr<WorkerProcess>> TakeIfThere(StartingWorker& starting, bool waits = true);
  /// Waits until it is there.
  /// \throws FileError  see TakeIfThere
  std::vector<std::unique_ptr<WorkerProcess>> Await(StartingWorker& starting);
  /// Where and with which key workers that were launched here connect to each other; nothing: none was launched.
  std::optional<WorkerMeeting> Meeting() const;

 private:
  /// The interface at which workers connect: the loopback one if none is given.
  const std::string& Listen() const;
  /// Expects the ranks no more that did not connect.
  void GiveUp(const StartingWorker& starting);
  std::vector<std::string> Words(const LaunchedGroup& group, const std::vector<std::string>& command) const;

  Placement placement_;
  std::unique_ptr<WorkerPort> port_;  // null: none was launched
};

}  // namespace openmi
