#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/isolation/HostLauncher.hpp"
#include "study/run/StudyQueue.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi {

/// What a run reports and asks while it goes on.
struct StudyWatch {
  std::function<void(const StudyProgress&)> progress = {};  ///< called at most every 0.2 s, and at the end; or empty
  std::function<bool()> is_interrupted = {};                ///< empty: never
  std::function<void(const std::string&)> lost = {};  ///< called with the reason why a host is used no more; or empty
};

/// The hosts of the workers of a study.
struct StudyPlaces {
  Placement placement = {};             ///< how workers are started; its groups and hosts are not used
  std::vector<std::string> hosts = {};  ///< of each worker; kThisHost: a process of this machine
};

/// Runs what is in a queue, in processes of this machine and of others.
class StudyRun {
 public:
  /// \param queue   borrowed
  /// \param places  of the processes, which start when they are needed; without hosts, as many of this machine as the
  ///   queue is wide
  explicit StudyRun(StudyQueue& queue, StudyPlaces places = {});

  /// Runs the members that have no result yet. The processes stay for the next call.
  ///
  /// If a host is lost, or no worker starts there, the others take its members.
  /// \returns whether all have one; false: it was interrupted, or its time was over
  /// \throws FileError  the disk is full, or no process can be started: nothing that was done is lost
  bool Run(const StudyWatch& watch = {});

 private:
  struct Slot {
    std::string host = kThisHost;
    std::optional<StartingWorker> starting = {};  ///< on another host
    std::unique_ptr<StudyWorker> worker = {};     ///< null: to be started
    bool is_busy = false;
    bool is_lost = false;   ///< no worker starts there
    int failed_starts = 0;  ///< in a row
  };

  void Fill();
  /// Starts the worker of a slot, if it has none.
  /// \returns whether it is there
  bool HasWorker(Slot& slot);
  /// Notes that no worker started.
  void Lose(Slot& slot, const FileError& reason);
  /// Takes what the worker of a slot left.
  void Collect(Slot& slot);
  void Report(const StudyWatch& watch, bool is_last);

  StudyQueue& queue_;
  HostLauncher launcher_;
  std::vector<Slot> slots_;
  std::vector<std::string> lost_;  // reasons that were not reported yet
  bool waits_for_start_ = false;   // some worker is starting on another host
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

}  // namespace openmi
