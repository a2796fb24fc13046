#include "composition/run/SharedOrAlone.hpp"

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

void SharedOrAlone::BecomeAlone() {
  std::unique_lock lock(mutex_);
  --sharing_;
  ++waiting_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !is_alone_ && sharing_ == 0; });
  --waiting_;
  is_alone_ = true;
}

void SharedOrAlone::ShareAgain() {
  std::unique_lock lock(mutex_);
  is_alone_ = false;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !is_alone_ && !IsAskedFor(); });
  ++sharing_;
}

}  // namespace openmi
