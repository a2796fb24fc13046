#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace openmi {

/// Objects that all their users in this process share. Each is freed with its last user. Any thread may call.
///
/// An instance whose objects may outlive static ones is made with `new` and never destroyed.
template <class Key, class T>
class SharedByKey {
 public:
  /// The object of a key that has users, else what `make` returns. Only one thread makes an object at a time.
  template <class Make>
  std::shared_ptr<T> Get(const Key& key, const Make& make) {
    const std::lock_guard lock(mutex_);
    std::erase_if(objects_, [](const auto& entry) { return entry.second.expired(); });
    if (const auto found = objects_.find(key); found != objects_.end()) {
      if (std::shared_ptr<T> shared = found->second.lock()) return shared;
    }
    std::shared_ptr<T> made = make();
    objects_[key] = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::weak_ptr<T>> objects_;
};

}  // namespace openmi
