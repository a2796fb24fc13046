#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "openmi/standard/IEvent.hpp"

namespace openmi {

/// An event with its list of handlers. Raising one that nobody listens to costs a comparison and allocates nothing.
///
/// Handlers may add and remove handlers, themselves included, while they run.
template <class Args>
class Event final : public IEvent<Args> {
 public:
  EventSubscription Add(std::function<void(const Args&)> handler) override {
    const auto subscription = static_cast<EventSubscription>(++last_);
    handlers_.push_back(std::make_unique<Entry>(Entry{subscription, std::move(handler)}));
    return subscription;
  }
  void Remove(EventSubscription subscription) override {
    for (auto& entry : handlers_) {
      if (entry && entry->subscription == subscription) entry->handler = nullptr;
    }
    if (depth_ == 0) DropRemoved();
  }
  /// Removes all handlers.
  void Clear() {
    for (auto& entry : handlers_) entry->handler = nullptr;
    if (depth_ == 0) DropRemoved();
  }
  bool HasHandlers() const { return !handlers_.empty(); }

  /// Calls the handlers in the order they were added; what one throws stays with it.
  void Raise(const Args& args) {
    if (handlers_.empty()) return;
    ++depth_;
    const std::size_t count = handlers_.size();  // handlers added meanwhile hear the next event
    for (std::size_t i = 0; i < count; ++i) {
      try {
        if (handlers_[i]->handler) handlers_[i]->handler(args);
      } catch (...) {  // NOLINT(bugprone-empty-catch): a listener must not stop a model
      }
    }
    if (--depth_ == 0) DropRemoved();
  }

 private:
  struct Entry {
    EventSubscription subscription;
    std::function<void(const Args&)> handler;
  };
  void DropRemoved() {
    std::erase_if(handlers_, [](const auto& entry) { return !entry->handler; });
  }
  std::vector<std::unique_ptr<Entry>> handlers_;
  std::uint64_t last_ = 0;
  int depth_ = 0;
};

}  // namespace openmi
