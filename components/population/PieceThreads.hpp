#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "components/population/Network.hpp"

namespace openmi::population {

/// Threads that do the pieces of a StepOrder; the calling thread is one of them.
class PieceThreads {
 public:
  /// \param threads  the calling one included; at least 1
  explicit PieceThreads(std::size_t threads);
  ~PieceThreads();
  PieceThreads(const PieceThreads&) = delete;
  PieceThreads& operator=(const PieceThreads&) = delete;

  std::size_t Count() const { return workers_.size() + 1; }
  /// Does each piece once, and returns when all are done. A piece starts after those that it waits for.
  /// \param work  called with the number of a piece; several threads call it at once
  /// \throws what the work threw: of several pieces, the first one's
  void Run(std::span<const StepOrder::Piece> pieces, const std::function<void(std::size_t)>& work);

 private:
  void Serve();
  void TakePieces();

  std::span<const StepOrder::Piece> pieces_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::vector<std::atomic<unsigned>> done_;  // 1: the piece is done
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // guards the members below
  std::condition_variable begun_, ended_;
  std::size_t round_ = 0;
  std::size_t active_ = 0;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::size_t failed_piece_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace openmi::population
