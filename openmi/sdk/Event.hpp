#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "openmi/standard/IEvent.hpp"

namespace openmi {

/// An event with its list of handlers. Raising one that nobody listens to costs a comparison and allocates nothing.
///
/// Handlers may add and remove handlers, themselves included, while they run: a handler that was removed is not called
/// any more, and what it holds is kept until the event under way is over.
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
      if (entry->subscription == subscription) entry->is_removed = true;
    }
    if (listeners_->depth == 0) DropRemoved();
  }
  /// Removes all handlers.
  void Clear() {
    if (!listeners_) return;
    for (auto& entry : listeners_->handlers) entry->is_removed = true;
    if (listeners_->depth == 0) DropRemoved();
  }
  bool HasHandlers() const { return listeners_ != nullptr && !listeners_->handlers.empty(); }

  /// Calls the handlers in the order they were added; what one throws stays with it.
  void Raise(const Args& args) {
    if (!HasHandlers()) return;
    auto& handlers = listeners_->handlers;
    ++listeners_->depth;
    const std::size_t count = handlers.size();  // handlers added meanwhile hear the next event
    for (std::size_t i = 0; i < count; ++i) {
      try {
        if (!handlers[i]->is_removed && handlers[i]->handler) handlers[i]->handler(args);
      } catch (...) {  // NOLINT(bugprone-empty-catch): a listener must not stop a model
      }
    }
    if (--listeners_->depth == 0) DropRemoved();
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
    int depth = 0;
  };
  void DropRemoved() {
    std::erase_if(listeners_->handlers, [](const auto& entry) { return entry->is_removed; });
  }
  std::unique_ptr<Listeners> listeners_;  // null until the first: an item nobody listens to costs a pointer
};

}  // namespace openmi
