#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/run/TaskChunks.hpp"
#include "composition/threads/SharedOrAlone.hpp"
#include "composition/threads/WorkerPool.hpp"

namespace openmi {

class IUpdatesApart;

/// Updates components side by side, with the results of one thread.
///
/// A task is what one thread does at one point of a pass: the update of a component, of the members of a loop, or of a
/// component and of those that it cannot ask without updating them. Several rounds of tasks may be asked for; a task of
/// the next round then starts where this round is already done.
///
/// Two tasks that affect each other are done in the order of one thread. All others may be done at the same time. Tasks
/// affect each other
/// - if one updates what the other updates or asks;
/// - if they belong to a family that does not declare that it is safe (IThreadSafety);
/// - if they belong to the same other process;
/// - if they ask one output for values that are no rows of numbers.
///
/// Small tasks are done several at a time, so that scheduling costs little compared with what they take; their times
/// are measured. If all tasks together are too small, they stay on the calling thread.
///
/// A task that asks for more than was foreseen waits until no other task runs, and the provider then updates alone.
/// From the next pass on, that task has everything upstream of it to itself, so that other tasks need not wait.
class ParallelUpdate {
 public:
  /// What is updated, instance by instance.
  struct Task {
    std::vector<std::size_t> updates;  ///< indices of instances; a task with another process has one
    IUpdatesApart* apart = nullptr;    ///< not null: in other processes; others run until their replies come
  };
  /// What tasks do. No function may throw.
  class IWork {
   public:
    virtual ~IWork() = default;
    virtual void Do(std::size_t task, std::size_t round) = 0;
    /// Starts a task in another process.
    /// \returns whether a reply is awaited; else the task is done
    virtual bool Begin(std::size_t task, std::size_t round) = 0;
    /// Takes the reply.
    /// \returns see Begin
    virtual bool End(std::size_t task, std::size_t round) = 0;
    /// Whether no further round is to start.
    virtual bool IsEnough() { return false; }
  };

  /// \param composition  prepared; borrowed. From now on this object intercepts the questions to its outputs.
  /// \param tasks        in the order of one thread
  /// \param threads      the calling one included
  ParallelUpdate(Composition& composition, std::vector<Task> tasks, std::size_t threads);
  ~ParallelUpdate();
  ParallelUpdate(const ParallelUpdate&) = delete;
  ParallelUpdate& operator=(const ParallelUpdate&) = delete;

  /// Whether there is enough to do for more than one thread, or more than one process. To be called before each Run:
  /// from time to time it returns true so that times are measured again.
  bool Pays();
  /// The things that `task` reads and changes: indices of the instances that it asks and updates, and larger numbers
  /// for things that are no instances.
  const TaskOrder::Uses& UsesOf(std::size_t task) const { return uses_[task]; }
  /// Does all tasks in each of `rounds` rounds.
  /// \returns the number of rounds that were made
  std::size_t Run(std::size_t rounds, IWork& work);

 private:
  class Gate;
  class Chunks;
  void AddUpstream(std::vector<std::size_t>& instances) const;
  /// Adds what the update of `instance` affects beside itself and its providers; numbers of things.
  void AddShared(std::size_t instance, TaskOrder::Uses& uses);
  std::size_t ThingOf(const std::string& name);
  /// Adds what only one component can use at a time: its processes, or a family that is not safe.
  void AddFamily(std::size_t instance, std::vector<std::size_t>& things);
  void MakeUses(std::size_t task);
  std::size_t ThingCount() const { return links_to_.size() + things_.size(); }
  /// Whether a task may update `instance` without waiting to be alone.
  bool Owns(std::size_t task, std::size_t instance) const;

  Composition& composition_;
  std::vector<Task> tasks_;
  std::vector<std::vector<const Link*>> links_to_;  // by instance
  SharedOrAlone sharing_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::map<std::string, std::size_t> things_;  // numbers of things that are no instances
  std::vector<TaskOrder::Uses> uses_;          // sorted
  TaskChunks chunks_;
  std::vector<std::size_t> unforeseen_;  // tasks that asked for more than was foreseen
  std::atomic<bool> has_unforeseen_ = false;
  std::size_t processes_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> begun_;  // of one run, see Chunks
  std::uint64_t runs_ = 0;
  std::uint64_t last_made_ = 1;  // in which of the runs
  WorkerPool pool_;
};

}  // namespace openmi
