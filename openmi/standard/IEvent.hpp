#pragma once

#include <cstdint>
#include <functional>

namespace openmi {

/// Names one subscription of one event.
enum class EventSubscription : std::uint64_t {};

/// An event that others may listen to: the C++ form of the EventHandler<Args> members of the standard.
///
/// Handlers are called in the order they were added, on the thread that raises. A handler that throws does not stop the
/// others nor the one who raises. A handler must be removed before what it captures dies.
template <class Args>
class IEvent {
 public:
  virtual ~IEvent() = default;
  virtual EventSubscription Add(std::function<void(const Args&)> handler) = 0;
  /// Does nothing for an unknown subscription.
  virtual void Remove(EventSubscription subscription) = 0;
};

}  // namespace openmi
