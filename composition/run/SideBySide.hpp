#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/SharedOrAlone.hpp"
#include "composition/run/TaskOrder.hpp"
#include "composition/run/WorkerPool.hpp"

namespace openmi {

class IsolatedComponent;
class IsolatedProcess;

/// Updates components side by side, with the results of one thread.
///
/// A task is what one thread does at one place of a pass: the update of a component, of the members of a loop, or of a
/// component and of whatever it cannot ask without updating it. Two tasks that have to do with each other are done in
/// the order of one thread: those that update what the other updates or asks, those of a family that does not say it is
/// safe (IThreadSafety), those of one other process, and those that ask one output for values that are no rows of
/// numbers. All others may be done at once. Several rounds of tasks may be asked for; the next one then begins where
/// this one is done already.
///
/// Small tasks are done several at a time, so that handing them out costs little of what they take; how long they take
/// is measured. What is too small altogether stays on the calling thread.
///
/// A task that asks for more than was foreseen waits until no other is at work, and the provider updates alone. From
/// the next pass on that task has all that stands upstream of it to itself, so that others need not wait.
class SideBySide {
 public:
  /// What is updated, instance by instance.
  struct Task {
    std::vector<std::size_t> updates;    ///< instance numbers; of a task with other processes, one
    IsolatedComponent* apart = nullptr;  ///< not null: in another process; asked for, and waited for beside others
  };
  /// What tasks do. Nothing of it may throw.
  class IWork {
   public:
    virtual ~IWork() = default;
    virtual void Do(std::size_t task, std::size_t round) = 0;
    /// Of a task in another process. \returns whether a reply is awaited; else the task is done
    virtual bool Begin(std::size_t task, std::size_t round) = 0;
    /// Takes the reply. \returns as Begin
    virtual bool End(std::size_t task, std::size_t round) = 0;
    /// Whether no further round is to begin.
    virtual bool IsEnough() { return false; }
  };

  /// \param composition  prepared; borrowed. Stands between its outputs and whoever asks from now on.
  /// \param tasks        in the order of one thread
  SideBySide(Composition& composition, std::vector<Task> tasks, std::size_t threads);
  ~SideBySide();
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  /// Whether there is enough to do for more than one thread, or more than one process. To be asked before each Run: now
  /// and then it says yes so that it is measured again.
  bool Pays();
  /// The instances that `task` updates, and those that it asks, and numbers beyond all of them.
  const TaskOrder::Uses& UsesOf(std::size_t task) const { return uses_[task]; }
  /// Does all tasks in each of so many rounds. \returns the rounds that were made
  std::size_t Run(std::size_t rounds, IWork& work);

 private:
  class Gate;
  class Chunks;
  /// Tasks that one thread does one after the other.
  struct Chunk {
    std::size_t begin;  // in order_
    std::size_t end;
    double seconds = 0.0;  // of all rounds that were measured
    double longest = 0.0;  // of one of them
  };
  void AddUpstream(std::vector<std::size_t>& instances) const;
  /// What updating `instance` touches beside itself and its providers; numbers of things.
  void AddShared(std::size_t instance, TaskOrder::Uses& uses);
  std::size_t ThingOf(const std::string& name);
  std::optional<std::size_t> FamilyThing(std::size_t instance);
  void MakeUses(std::size_t task);
  void MakeOrder();
  void MakeChunks();
  /// Whether a task may update `instance` without asking anybody.
  bool Owns(std::size_t task, std::size_t instance) const;
  void TakeTimes();

  Composition& composition_;
  std::vector<Task> tasks_;
  std::vector<std::vector<const Link*>> links_to_;  // by instance
  SharedOrAlone sharing_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::map<std::string, std::size_t> things_;  // beside the instances
  std::vector<TaskOrder::Uses> uses_;          // sorted
  std::vector<std::size_t> order_;             // tasks
  std::vector<double> seconds_;                // of each task
  std::vector<Chunk> chunks_;
  TaskOrder chunk_order_;
  std::vector<std::size_t> unforeseen_;  // tasks that asked for more
  std::atomic<bool> has_unforeseen_ = false;
  std::size_t processes_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t measured_runs_ = 0;  // of these chunks
  std::uint64_t last_made_ = 1;      // in which of the runs
  WorkerPool pool_;
};

}  // namespace openmi
