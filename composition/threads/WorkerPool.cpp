#include "composition/threads/WorkerPool.hpp"

#include <algorithm>

namespace openmi {

WorkerPool::WorkerPool(std::size_t threads) {
  for (std::size_t worker = 1; worker < threads; ++worker) {
    workers_.emplace_back([this, worker] { Serve(worker); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  begun_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::optional<std::pair<std::size_t, std::size_t>> WorkerPool::Take(Ready& ready) {
  while (!ready.empty()) {
    std::ranges::pop_heap(ready, std::greater<>());
    const auto next = ready.back();
    ready.pop_back();
    if (next.first >= rounds_) continue;
    if (next.first >= begun_rounds_) {
      if (begun_rounds_ > 0 && tasks_->IsEnough()) {
        rounds_ = begun_rounds_;
        continue;
      }
      begun_rounds_ = next.first + 1;
    }
    ++current_;
    return std::pair(next.first, order_->AtRank(next.second));
  }
  return std::nullopt;
}

void WorkerPool::Push(std::size_t task) {
  Ready& ready = tasks_->IsForCaller(task) ? ready_for_caller_ : ready_;
  ready.emplace_back(round_[task], order_->RankOf(task));
  std::ranges::push_heap(ready, std::greater<>());
}

void WorkerPool::Complete(std::size_t task) {
  for (const std::size_t next : order_->WaitingFor(task)) {
    if (--waits_[next] == 0 && round_[next] < rounds_) Push(next);
  }
  if (++round_[task] == rounds_) return;
  waits_[task] += order_->LaterWaits(task);
  if (waits_[task] == 0) Push(task);
  for (const std::size_t next : order_->WaitingNext(task)) {
    if (--waits_[next] == 0 && round_[next] < rounds_) Push(next);
  }
}

void WorkerPool::Wake() {
  std::size_t more = ready_.empty() ? 0 : ready_.size() - 1;
  if (is_caller_idle_ && (more > 0 || !ready_for_caller_.empty() || (current_ == 0 && ready_.empty()))) {
    changed_.notify_one();
    if (more > 0) --more;
  }
  for (std::size_t i = std::min(more, idle_); i > 0; --i) begun_.notify_one();
}

void WorkerPool::Serve(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    begun_.wait(lock, [this] { return is_over_ || !ready_.empty(); });
    --idle_;
    if (is_over_) return;
    while (const auto next = Take(ready_)) {
      lock.unlock();
      tasks_->Do(next->second, next->first, worker);
      lock.lock();
      --current_;
      Complete(next->second);
      Wake();
    }
    Wake();  // Take may have dropped the last task, because no further round is to start
  }
}

std::size_t WorkerPool::Run(const TaskOrder& order, std::size_t rounds, IPoolTasks& tasks) {
  std::unique_lock lock(mutex_);
  order_ = &order;
  tasks_ = &tasks;
  rounds_ = rounds;
  begun_rounds_ = 0;
  round_.assign(order.Count(), 0);
  waits_.resize(order.Count());
  for (std::size_t task = 0; task < order.Count(); ++task) {
    waits_[task] = order.FirstWaits(task);
    if (waits_[task] == 0) Push(task);
  }
  Wake();
  std::size_t begun = 0;  // tasks that were started and are not done yet
  while (true) {
    auto next = Take(ready_for_caller_);
    if (!next) next = Take(ready_);
    if (next) {
      lock.unlock();
      const bool is_done = tasks.Do(next->second, next->first, 0);
      lock.lock();
      --current_;
      if (is_done) {
        Complete(next->second);
        Wake();
      } else {
        ++begun;
      }
    } else if (begun > 0) {
      const bool is_other_at_work = current_ > 0;
      lock.unlock();
      const std::optional<std::size_t> done = tasks.Await(is_other_at_work);
      lock.lock();
      if (!done) continue;
      --begun;
      Complete(*done);
      Wake();
    } else if (current_ > 0) {
      is_caller_idle_ = true;
      changed_.wait(lock, [this] { return IsAnyReady() || current_ == 0; });
      is_caller_idle_ = false;
    } else {
      break;
    }
  }
  return rounds_;
}

}  // namespace openmi
