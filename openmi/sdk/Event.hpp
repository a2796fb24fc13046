#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "openmi/standard/IEvent.hpp"

namespace openmi {

/// An event with its list of handlers. Raising an event without handlers costs one comparison and allocates nothing.
///
/// A running handler may add and remove handlers, also itself. A removed handler is not called again; it is destroyed
/// only when the event has been raised completely.
template <class Args>
class Event final : public IEvent<Args> {
 public:
  EventSubscription Add(std::function<void(const Args&)> handler) override {
    if (!listeners_) listeners_ = std::make_unique<Listeners>();
    const auto subscription = static_cast<EventSubscription>(++listeners_->last);
    listeners_->handlers.push_back(std::make_unique<Entry>(Entry{subscription, std::move(handler)}));
    return subscription;
  }
  void Remove(EventSubscription subscription) override {
    if (!listeners_) return;
    for (auto& entry : listeners_->handlers) {
      if (entry->subscription == subscription) entry->is_removed = listeners_->is_any_removed = true;
    }
    DropRemoved();
  }
  /// Removes all handlers.
  void Clear() {
    if (!listeners_) return;
    for (auto& entry : listeners_->handlers) entry->is_removed = listeners_->is_any_removed = true;
    DropRemoved();
  }
  bool HasHandlers() const { return listeners_ != nullptr && !listeners_->handlers.empty(); }

  /// Calls the handlers in the order in which they were added. Exceptions of handlers are dropped.
  void Raise(const Args& args) {
    if (!HasHandlers()) return;
    auto& handlers = listeners_->handlers;
    ++listeners_->depth;
    const std::size_t count = handlers.size();  // a handler that is added meanwhile receives the next event
    for (std::size_t i = 0; i < count; ++i) {
      try {
        if (!handlers[i]->is_removed && handlers[i]->handler) handlers[i]->handler(args);
      } catch (...) {  // NOLINT(bugprone-empty-catch): a listener must not stop a model
      }
    }
    --listeners_->depth;
    DropRemoved();
  }

 private:
  struct Entry {
    EventSubscription subscription;
    std::function<void(const Args&)> handler;
    bool is_removed = false;
  };
  struct Listeners {
    std::vector<std::unique_ptr<Entry>> handlers;
    std::uint64_t last = 0;
    int depth = 0;  // how many calls of Raise are running
    bool is_any_removed = false;
  };
  void DropRemoved() {
    if (!listeners_->is_any_removed || listeners_->depth > 0) return;
    listeners_->is_any_removed = false;
    std::erase_if(listeners_->handlers, [](const auto& entry) { return entry->is_removed; });
  }
  std::unique_ptr<Listeners>
      listeners_;  // null until the first subscription: without handlers the event is one pointer
};

}  // namespace openmi
