#include "composition/threads/SharedOrAlone.hpp"

#include <algorithm>

namespace openmi {

void SharedOrAlone::EnterShared() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_alone_ && !IsAskedFor(); });
  ++sharing_;
}

void SharedOrAlone::LeaveShared() {
  const std::lock_guard lock(mutex_);
  --sharing_;
  if (IsAskedFor()) changed_.notify_all();
}

void SharedOrAlone::BecomeAlone(std::size_t task, const std::function<bool(std::size_t)>& goes_first) {
  std::unique_lock lock(mutex_);
  --sharing_;
  ++waiting_;
  standing_.push_back(task);
  changed_.notify_all();
  changed_.wait(lock, [&] {
    return !is_alone_ && sharing_ == 0 && std::ranges::none_of(standing_, [&](std::size_t other) {
      return other != task && goes_first && goes_first(other);
    });
  });
  standing_.erase(std::ranges::find(standing_, task));
  --waiting_;
  is_alone_ = true;
}

void SharedOrAlone::ShareAgain(std::size_t task) {
  std::unique_lock lock(mutex_);
  is_alone_ = false;
  standing_.push_back(task);
  changed_.notify_all();
  changed_.wait(lock, [this] { return !is_alone_; });
  standing_.erase(std::ranges::find(standing_, task));
  ++sharing_;
}

}  // namespace openmi
