#include "components/population/PieceThreads.hpp"

namespace openmi::population {

PieceThreads::PieceThreads(std::size_t threads) {
  for (std::size_t worker = 1; worker < threads; ++worker) workers_.emplace_back([this] { Serve(); });
}

PieceThreads::~PieceThreads() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  begun_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void PieceThreads::TakePieces() {
  for (std::size_t piece = next_++; piece < pieces_.size(); piece = next_++) {
    // Earlier pieces were taken before, so each of them is done or in work: no thread waits for ever.
    for (const std::size_t earlier : pieces_[piece].waits_for) {
      for (int spin = 0; spin < 2000 && done_[earlier].load(std::memory_order_acquire) == 0; ++spin) {
        __builtin_ia32_pause();
      }
      done_[earlier].wait(0, std::memory_order_acquire);
    }
    try {
      (*work_)(piece);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (failure_ == nullptr || piece < failed_piece_) {
        failure_ = std::current_exception();
        failed_piece_ = piece;
      }
    }
    done_[piece].store(1, std::memory_order_release);
    done_[piece].notify_all();
  }
}

void PieceThreads::Serve() {
  std::unique_lock lock(mutex_);
  for (std::size_t round = 0;;) {
    begun_.wait(lock, [&] { return is_over_ || round != round_; });
    if (is_over_) return;
    round = round_;
    lock.unlock();
    TakePieces();
    lock.lock();
    if (--active_ == 0) ended_.notify_one();
  }
}

void PieceThreads::Run(std::span<const StepOrder::Piece> pieces, const std::function<void(std::size_t)>& work) {
  pieces_ = pieces;
  work_ = &work;
  if (done_.size() != pieces.size()) done_ = std::vector<std::atomic<unsigned>>(pieces.size());
  for (auto& done : done_) done.store(0, std::memory_order_relaxed);
  next_ = 0;
  failure_ = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    active_ = workers_.size();
    ++round_;
  }
  if (!workers_.empty()) begun_.notify_all();
  TakePieces();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [this] { return active_ == 0; });
  if (failure_ != nullptr) std::rethrow_exception(failure_);
}

}  // namespace openmi::population
