#include "composition/run/WorkerPool.hpp"

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

void WorkerPool::TakePieces(std::size_t worker, std::unique_lock<std::mutex>& lock) {
  while (next_ < count_) {
    const std::size_t piece = next_++;
    lock.unlock();
    (*work_)(piece, worker);
    lock.lock();
    if (++done_ == count_) ended_.notify_one();
  }
}

void WorkerPool::Serve(std::size_t worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [this] { return is_over_ || next_ < count_; });
    if (is_over_) return;
    TakePieces(worker, lock);
  }
}

void WorkerPool::Run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  if (count == 1) {
    work(0, 0);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  count_ = count;
  next_ = 0;
  done_ = 0;
  begun_.notify_all();
  TakePieces(0, lock);
  ended_.wait(lock, [this] { return done_ == count_; });  // a worker that wakes later finds nothing to do
}

}  // namespace openmi
