#include "composition/threads/LineLock.hpp"

namespace openmi {

void LineLock::lock() {
  const CallLine& line = CallLine::Current();
  std::unique_lock lock(mutex_);
  if (!holders_.empty() && holders_.back().line == &line) {
    ++holders_.back().times;
    return;
  }
  free_.wait(lock, [&] {
    return holders_.empty() ||
           (line.manner == CallLine::Manner::Alone && line.team != nullptr && holders_.back().line->team == line.team);
  });
  holders_.push_back({&line, 1});
}

void LineLock::unlock() {
  const std::lock_guard lock(mutex_);
  if (--holders_.back().times > 0) return;
  holders_.pop_back();
  free_.notify_all();
}

}  // namespace openmi
