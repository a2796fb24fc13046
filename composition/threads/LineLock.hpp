#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "composition/threads/CallLine.hpp"

namespace openmi {

/// A lock that a line of calls holds (CallLine), not a thread. The line may take it again.
///
/// A line that runs alone also gets it while another line of its team holds it: that line stands still, and has the
/// lock again when the first one releases it. Otherwise two lines that hold a lock each and both wait to run alone
/// would wait for each other.
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
