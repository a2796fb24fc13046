#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "study/run/StudyQueue.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi {

/// What a run reports and asks while it goes on.
struct StudyWatch {
  std::function<void(const StudyProgress&)> progress = {};  ///< called at most every 0.2 s, and at the end; or empty
  std::function<bool()> is_interrupted = {};                ///< empty: never
};

/// Runs what is in a queue, in processes of this machine.
class StudyRun {
 public:
  /// \param queue  borrowed; its width is the number of processes, which start when they are needed
  explicit StudyRun(StudyQueue& queue) : queue_(queue), slots_(queue.Width()) {}

  /// Runs the members that have no result yet. The processes stay for the next call.
  /// \returns whether all have one; false: it was interrupted, or its time was over
  /// \throws FileError  the disk is full, or no process can be started: nothing that was done is lost
  bool Run(const StudyWatch& watch = {});

 private:
  struct Slot {
    std::unique_ptr<StudyWorker> worker;  ///< null: to be started
    bool is_busy = false;
  };

  void Fill();
  /// Takes what the worker of a slot left.
  void Collect(Slot& slot);
  void Report(const StudyWatch& watch, bool is_last);

  StudyQueue& queue_;
  std::vector<Slot> slots_;
  std::chrono::steady_clock::time_point reported_ = std::chrono::steady_clock::now();
};

}  // namespace openmi
