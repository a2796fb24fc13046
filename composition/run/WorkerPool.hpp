#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "composition/run/TaskOrder.hpp"

namespace openmi {

/// What a WorkerPool does.
class IPoolTasks {
 public:
  virtual ~IPoolTasks() = default;
  /// Does a task. Must not throw.
  /// \param worker  below WorkerPool::Threads(), 0 for the calling thread
  /// \returns false: it was only begun, and Await says when it is done
  virtual bool Do(std::size_t task, std::size_t round, std::size_t worker) = 0;
  /// Whether the calling thread has to do it; only such a task may be begun and left.
  virtual bool IsForCaller(std::size_t) const { return false; }
  /// Waits for a task that was begun: on the calling thread, when it has nothing else to do. Must not throw.
  /// \param is_other_at_work  come back soon, since other threads may make more ready
  /// \returns the task that is done now; none: ask again
  virtual std::optional<std::size_t> Await(bool is_other_at_work) {
    static_cast<void>(is_other_at_work);
    return std::nullopt;
  }
  /// Whether no further round is to begin. Called from one thread at a time.
  virtual bool IsEnough() { return false; }
};

/// Threads that share out tasks, the calling thread among them. A task begins as soon as those that it waits for are
/// done. Other threads are woken only when there is more to do at a moment than the threads at work take.
class WorkerPool {
 public:
  /// \param threads  the calling one included; at least 1
  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t Threads() const { return workers_.size() + 1; }
  /// Does each task once in each of `rounds`, as `order` says; of those that may begin, the first of the earliest round
  /// does. Returns when all are done.
  /// \returns the rounds that were made: less than `rounds` where tasks.IsEnough()
  std::size_t Run(const TaskOrder& order, std::size_t rounds, IPoolTasks& tasks);

 private:
  using Ready = std::vector<std::pair<std::size_t, std::size_t>>;  // a heap: round, task
  void Serve(std::size_t worker);
  /// Takes what may begin next. \returns the task, now at work; none: there is nothing
  std::optional<std::pair<std::size_t, std::size_t>> Take(Ready& ready);
  void Push(std::size_t task);
  /// What waited for `task` may begin.
  void Complete(std::size_t task);
  /// Wakes as many as there is work for beyond what this thread takes.
  void Wake();
  bool IsAnyReady() const { return !ready_.empty() || !ready_for_caller_.empty(); }

  std::mutex mutex_;  // of what follows
  std::condition_variable begun_, changed_;
  bool is_over_ = false;
  const TaskOrder* order_ = nullptr;
  IPoolTasks* tasks_ = nullptr;
  Ready ready_, ready_for_caller_;
  std::vector<std::size_t> waits_, round_;  // of each task: for how many others, in which round
  std::size_t rounds_ = 0;
  std::size_t begun_rounds_ = 0;
  std::size_t at_work_ = 0;
  std::size_t idle_ = 0;
  bool is_caller_idle_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace openmi
