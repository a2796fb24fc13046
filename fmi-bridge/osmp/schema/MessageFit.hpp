#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osi {

/// How a field of that kind stands in the bytes of a message, where it is not packed.
WireType WireTypeOf(FieldKind kind);

/// Messages do not say what they are. The type of message that the bytes fit better than `type`: all fields of it that
/// the built-in schema knows stand as that type has them, and more of the bytes are known fields. Linear in the bytes.
/// \returns "SensorView", ...; empty where no type fits better
/// \throws WireError  malformed
std::string BetterFit(Message message, std::string_view type);

}  // namespace openmi::osi
