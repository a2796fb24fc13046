#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "composition/threads/TaskOrder.hpp"

namespace openmi {

/// The tasks of a WorkerPool.
class IPoolTasks {
 public:
  virtual ~IPoolTasks() = default;
  /// Does a task. Must not throw.
  /// \param task    index in the TaskOrder
  /// \param round   from 0
  /// \param worker  below WorkerPool::Threads(); 0 for the calling thread
  /// \returns false: the task was only started, and Await reports when it is done
  virtual bool Do(std::size_t task, std::size_t round, std::size_t worker) = 0;
  /// Whether the calling thread has to do the task; only such a task may be started and completed later.
  virtual bool IsForCaller(std::size_t) const { return false; }
  /// Waits for a task that was started. Called on the calling thread, when it has nothing else to do. Must not throw.
  /// \param is_other_at_work  return soon, since other threads may make more tasks ready
  /// \returns the task that is done now; no value: call again
  virtual std::optional<std::size_t> Await(bool is_other_at_work) {
    static_cast<void>(is_other_at_work);
    return std::nullopt;
  }
  /// Whether no further round is to start. Called by one thread at a time.
  virtual bool IsEnough() { return false; }
};

/// Threads that share tasks; the calling thread is one of them. A task starts as soon as those that it waits for are
/// done. Other threads are woken only when more tasks are ready than the active threads take.
class WorkerPool {
 public:
  /// \param threads  the calling one included; at least 1
  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t Threads() const { return workers_.size() + 1; }
  /// Does each task once in each of `rounds` rounds, in the given order. Of the tasks that may start, the first one of
  /// the earliest round does, by the ranks of the order. Returns when all are done.
  /// \param order  which tasks wait for which; borrowed until this function returns
  /// \returns the number of rounds that were made: less than `rounds` if tasks.IsEnough()
  std::size_t Run(const TaskOrder& order, std::size_t rounds, IPoolTasks& tasks);

 private:
  using Ready = std::vector<std::pair<std::size_t, std::size_t>>;  // a heap: round, rank of the task
  void Serve(std::size_t worker);
  /// Takes the task that may start next.
  /// \returns the task, now in progress; no value: there is none
  std::optional<std::pair<std::size_t, std::size_t>> Take(Ready& ready);
  void Push(std::size_t task);
  /// Makes the tasks that waited for `task` ready.
  void Complete(std::size_t task);
  /// Wakes as many threads as there are ready tasks beyond those that this thread takes.
  void Wake();
  bool IsAnyReady() const { return !ready_.empty() || !ready_for_caller_.empty(); }

  std::mutex mutex_;  // guards the members below
  std::condition_variable begun_, changed_;
  bool is_over_ = false;
  const TaskOrder* order_ = nullptr;
  IPoolTasks* tasks_ = nullptr;
  Ready ready_, ready_for_caller_;
  std::vector<std::size_t> waits_, round_;  // of each task: how many others it waits for, and its round
  std::size_t rounds_ = 0;
  std::size_t begun_rounds_ = 0;
  std::size_t current_ = 0;
  std::size_t idle_ = 0;
  bool is_caller_idle_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace openmi
