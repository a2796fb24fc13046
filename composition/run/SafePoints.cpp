#include "composition/run/SafePoints.hpp"

#include <algorithm>

namespace openmi {

std::size_t SafePoints::Add(Work hook) {
  hooks_.emplace_back(next_hook_, std::move(hook));
  return next_hook_++;
}

void SafePoints::Remove(std::size_t hook) {
  const auto found = std::ranges::find(hooks_, hook, [](const auto& entry) { return entry.first; });
  if (found == hooks_.end()) return;
  if (is_running_hooks_) {
    found->first = 0;  // it may be the one that is running
  } else {
    hooks_.erase(found);
  }
}

void SafePoints::Post(Work task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  has_tasks_.store(true, std::memory_order_release);
  is_woken_ = true;
  woken_.notify_all();
}

void SafePoints::Wake() {
  const std::lock_guard lock(mutex_);
  is_woken_ = true;
  woken_.notify_all();
}

void SafePoints::WaitUntil(Clock::time_point time) {
  std::unique_lock lock(mutex_);
  woken_.wait_until(lock, time, [this] { return is_woken_; });
  is_woken_ = false;
}

void SafePoints::RunHooks() {
  is_running_hooks_ = true;
  const auto end = [this] {
    is_running_hooks_ = false;
    std::erase_if(hooks_, [](const auto& entry) { return entry.first == 0; });
  };
  try {
    const std::size_t count = hooks_.size();  // a hook that is added meanwhile waits for the next pass
    for (std::size_t i = 0; i < count; ++i) {
      if (hooks_[i].first == 0) continue;
      hooks_[i].second();
    }
  } catch (...) {
    end();
    throw;
  }
  end();
}

void SafePoints::RunTasks() {
  std::vector<Work> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
    has_tasks_.store(false, std::memory_order_release);
  }
  for (const Work& task : tasks) task();
}

}  // namespace openmi
