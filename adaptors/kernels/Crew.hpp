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

/// A few threads that work side by side on parts of one task, again and again; they sleep in between. The caller's own
/// thread does part 0, so that a crew of one has no thread and costs nothing.
class Crew {
 public:
  /// \param size  how many work side by side; 0 counts as 1
  explicit Crew(std::size_t size = 1);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  std::size_t Size() const { return helpers_.size() + 1; }

  /// Calls `work(part)` once for each part below `Size()` and waits for all. Not to be called from `work`, nor from two
  /// threads at once.
  /// \throws  what `work` threw, of several the lowest part's; the other parts are done by then
  /// \note  No allocation.
  void Run(FunctionView<void(std::size_t)> work);

  /// Part `part` of `count` things: [first, last).
  struct Share {
    std::size_t first;
    std::size_t last;
  };
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
  std::size_t missing_ = 0;  // parts of this one that others still work on
  bool ends_ = false;
  const FunctionView<void(std::size_t)>* work_ = nullptr;
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> helpers_;
};

}  // namespace openmi
