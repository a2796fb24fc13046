#pragma once

#include <cstdint>

namespace openmi::fmi {

/// The status that a function of an FMU returns, with the numbers of all versions of the standard.
enum class CallStatus : std::uint8_t { OK, Warning, Discard, Error, Fatal, Pending };
/// "OK", "Warning", ...
const char* Name(CallStatus status);

/// The type in memory of the values of a version.
enum class Native : std::uint8_t { Float32, Float64, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Bool };
/// The bytes of one value.
unsigned SizeOf(Native native);

}  // namespace openmi::fmi
