#pragma once

#include <string_view>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// Where messages are published.
///
/// Order of calls: Open; Publish, any number of times; Flush.
class IMessageSink {
 public:
  virtual ~IMessageSink() = default;
  /// Connects or creates the file.
  /// \throws openmi::Error  it is not possible; says what to do
  virtual void Open() = 0;
  /// Publishes a message.
  /// \param id  identifies the message among all of this publisher
  /// \param stamp  wall-clock time that the message states
  virtual void Publish(std::string_view body, std::string_view id, Nanos stamp) = 0;
  /// Waits until all messages are stored or confirmed.
  /// \throws openmi::Error  they cannot be
  virtual void Flush() = 0;
};

}  // namespace openmi::broker
