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

void WorkerPool::TakePieces(std::size_t worker) {
  for (std::size_t piece = next_++; piece < count_; piece = next_++) (*work_)(piece, worker);
}

void WorkerPool::Serve(std::size_t worker) {
  std::uint64_t served = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [&] { return is_over_ || round_ != served; });
    if (is_over_) return;
    served = round_;
    lock.unlock();
    TakePieces(worker);
    lock.lock();
    if (--serving_ == 0) ended_.notify_one();
  }
}

void WorkerPool::Run(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    serving_ = workers_.size();
    ++round_;
  }
  begun_.notify_all();
  TakePieces(0);
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return serving_ == 0; });
}

}  // namespace openmi
