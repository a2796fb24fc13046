#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi::osi {

/// How a field of that kind is encoded in a message, where it is not packed.
WireType WireTypeOf(FieldKind kind);

/// Finds the type of message that the bytes fit better than `type`, since messages do not contain their type.
///
/// In a better type every field that the built-in schema knows has the wire type of that type, and more of the bytes
/// are known fields. Linear in the bytes.
/// \returns "SensorView", ...; empty where no type fits better
/// \throws WireError  the bytes are malformed
std::string BetterFit(Message message, std::string_view type);

/// Finds a field that a schema does not describe. Linear in the bytes.
/// \param type  of the message
/// \returns "moving_object.base.field 14"; empty where all fields are known
/// \throws WireError  the bytes are malformed
std::string UnknownField(Message message, const std::string& type, const Schema& schema);

/// The type of message that a value definition names in its caption.
/// \returns "GroundTruth" for the caption "OSI GroundTruth"; the whole caption where it has no such prefix
std::string MessageTypeOf(const IValueDefinition& definition);

/// Checks that both ends of a link name the same type of message.
///
/// The bytes of a message do not contain its type, and a message read as another type gives wrong values without an
/// error. An input without a provider passes, and so does a provider that names no message of OSI.
///
/// \param message  what the input takes: "SensorView"; empty: any message
/// \throws LinkError  the provider's values are another message
void RequireLinkedMessage(const IBaseInput& input, const std::string& message);
/// Does the same with the type of message that the input's own value definition names.
void RequireLinkedMessage(const IBaseInput& input);

}  // namespace openmi::osi
