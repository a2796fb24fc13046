#pragma once

#include <string_view>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// Where messages are published.
class IMessageSink {
 public:
  virtual ~IMessageSink() = default;
  virtual void Open() = 0;
  /// \param id     tells the message from all others of this publisher
  /// \param stamp  wall-clock time of what it says
  virtual void Publish(std::string_view body, std::string_view id, Nanos stamp) = 0;
  /// Waits until everything is where it should be. \throws openmi::Error  it cannot be brought there
  virtual void Flush() = 0;
};

}  // namespace openmi::broker
