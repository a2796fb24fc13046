#pragma once

#include <string>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

/// A value definition for encoded messages that states the type of the messages.
///
/// Two items can be linked only when both state the same type, or one states none. An input that takes messages of
/// several types states them with " or " between.
class IMessageType {
 public:
  virtual ~IMessageType() = default;
  /// The type as the standard of the messages names it ("osi3::SensorView"); empty when unknown.
  virtual const std::string& MessageType() const = 0;
};

/// A value definition that is neither quantity nor quality: for texts, bytes or objects of a component's own type.
class PlainDefinition final : public DescribedAs<IValueDefinition>, public IMessageType {
 public:
  /// \param missing       the value that means "no data"
  /// \param message_type  see IMessageType; empty: unknown
  explicit PlainDefinition(openmi::ValueType type, Value missing = {}, std::string message_type = {})
      : type_(type), missing_(std::move(missing)), message_type_(std::move(message_type)) {}
  Value MissingDataValue() const override { return missing_; }
  openmi::ValueType ValueType() const override { return type_; }
  const std::string& MessageType() const override { return message_type_; }

 private:
  openmi::ValueType type_;
  Value missing_;
  std::string message_type_;
};

/// The message type of a definition; empty when it states none.
inline std::string MessageTypeOf(const IValueDefinition& definition) {
  const auto* message = dynamic_cast<const IMessageType*>(&definition);
  return message != nullptr ? message->MessageType() : std::string();
}

}  // namespace openmi
