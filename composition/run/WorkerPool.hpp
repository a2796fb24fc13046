#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace openmi {

/// Threads that share out pieces of work, the calling thread among them.
class WorkerPool {
 public:
  /// \param threads  the calling one included; at least 1
  explicit WorkerPool(std::size_t threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  std::size_t Threads() const { return workers_.size() + 1; }
  /// Calls `work(piece, worker)` once for each piece below `count`, in any order and side by side; returns when all are
  /// done. `worker` is below Threads(), 0 for the calling thread. A single piece is done by the calling thread, and no
  /// other is woken. `work` must not throw.
  void Run(std::size_t count, const std::function<void(std::size_t piece, std::size_t worker)>& work);

 private:
  void Serve(std::size_t worker);
  /// Does pieces until none is left. \param lock  of mutex_; held
  void TakePieces(std::size_t worker, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable begun_, ended_;
  bool is_over_ = false;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::vector<std::thread> workers_;
};

}  // namespace openmi
