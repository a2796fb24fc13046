#pragma once

#include <string>

namespace openmi {

/// A value definition for encoded messages that states the type of the messages.
///
/// Two items can be linked only when both state the same type, or one states none.
class IMessageType {
 public:
  virtual ~IMessageType() = default;
  /// The type as the standard of the messages names it ("osi3::SensorView"); empty when unknown.
  virtual const std::string& MessageType() const = 0;
};

}  // namespace openmi
