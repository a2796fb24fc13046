#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "composition/run/CallLine.hpp"

namespace openmi {

/// A lock that a line of calls holds (CallLine), not a thread; the line may take it again.
///
/// A line that works alone also gets it while another line of its team holds it: that one stands still, and has it back
/// when the first lets go. Else two lines that hold a lock each and both wait to be alone would wait for each other.
class LineLock {
 public:
  void lock();    // NOLINT(readability-identifier-naming): the names that std::unique_lock calls
  void unlock();  // NOLINT(readability-identifier-naming)

 private:
  struct Holder {
    const CallLine* line;
    std::size_t times;
  };
  std::mutex mutex_;
  std::condition_variable free_;
  std::vector<Holder> holders_;  // the last one counts; those before it stand still
};

}  // namespace openmi
