#pragma once

#include <string>

namespace openmi {

/// A definition of values that are encoded messages, which says what they are messages of. Two items are linked only
/// where both give the same type, or one gives none.
class IMessageType {
 public:
  virtual ~IMessageType() = default;
  /// As the standard of the messages names it ("osi3::SensorView"); empty where nothing is known.
  virtual const std::string& MessageType() const = 0;
};

}  // namespace openmi
