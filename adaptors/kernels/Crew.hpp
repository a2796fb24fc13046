#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "adaptors/kernels/FunctionView.hpp"

namespace openmi {

/// A few threads that work in parallel on the parts of one task, repeatedly; they sleep between tasks.
///
/// The caller's thread does part 0, so that a crew of one starts no thread and costs nothing.
///
/// Source: none; fork and join: a counter of open parts under a mutex, and a condition variable for its reaching 0.
class Crew {
 public:
  /// \param size  the number of threads that work in parallel, with the caller's; 0 counts as 1
  explicit Crew(std::size_t size = 1);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  /// The number of threads, with the caller's.
  std::size_t Size() const { return helpers_.size() + 1; }

  /// Calls `work(part)` once for each part below `Size()` and waits for all.
  ///
  /// If calls throw, the exception of the lowest part is thrown after all parts have ended.
  /// \pre  not called from `work`, nor by two threads at once
  /// \note  No allocation.
  void Run(FunctionView<void(std::size_t)> work);

  /// The share of one part: the items [first, last).
  struct Share {
    std::size_t first;
    std::size_t last;
  };
  /// Divides `count` items into `Size()` shares of almost equal size.
  Share ShareOf(std::size_t part, std::size_t count) const {
    return {count * part / Size(), count * (part + 1) / Size()};
  }

 private:
  void Serve(std::size_t part);
  void Do(std::size_t part);

  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable done_;
  std::uint64_t round_ = 0;  // tasks so far
  std::size_t missing_ = 0;  // parts of the present task that other threads still work on
  bool ends_ = false;
  const FunctionView<void(std::size_t)>* work_ = nullptr;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> helpers_;
};

}  // namespace openmi
