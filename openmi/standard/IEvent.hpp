#pragma once

#include <cstdint>
#include <functional>

namespace openmi {

/// Identifies one subscription to one event.
enum class EventSubscription : std::uint64_t {};

/// An event that handlers can subscribe to: the C++ form of the `EventHandler<Args>` members of the standard.
///
/// The event calls its handlers in the order of `Add`, on the thread that raises it. An exception in a handler stops
/// neither the other handlers nor the caller that raises the event. A handler must be removed before the objects that
/// it captures are destroyed.
template <class Args>
class IEvent {
 public:
  virtual ~IEvent() = default;
  /// Subscribes `handler`.
  /// \returns the subscription, for `Remove`
  virtual EventSubscription Add(std::function<void(const Args&)> handler) = 0;
  /// Ends a subscription. Does nothing for an unknown one.
  virtual void Remove(EventSubscription subscription) = 0;
};

}  // namespace openmi
