#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

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

}  // namespace openmi::osi
