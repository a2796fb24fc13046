#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "timespace/Stamp.hpp"

namespace openmi::broker {

/// Nanoseconds: since 1970-01-01T00:00Z for a point in time, else a duration. From 1677 to 2262.
using Nanos = std::int64_t;

inline constexpr Nanos kNanosPerSecond = 1'000'000'000;

/// Reads the stamp of a message: a date and a time of day by ISO 8601 with a zone ("2019-01-04T16:41:24.1+02:00", `Z`,
/// `+0200`, `+02`), exactly; digits beyond the nanosecond are cut off. A blank may stand for the `T`, small letters for
/// `T` and `Z`; 24:00 is the next day's begin and a leap second (60) the next minute's.
/// \param zone_minutes  the offset of a text without a zone; nothing: such a text is refused
/// \returns nothing where the text is no such stamp or lies outside the range
std::optional<Nanos> ParseWallTime(std::string_view text, std::optional<int> zone_minutes = std::nullopt);

/// "2019-01-04T14:41:24.1Z": UTC, as many digits as the fraction has.
std::string FormatWallTime(Nanos time);

/// "12.5 s" of a duration, as many digits as it has.
std::string FormatNanos(Nanos duration);

/// What the clock of this machine says.
Nanos WallClock();

/// A stamp resolves 0.6 microseconds only: rounded to the microsecond. \throws RangeError  outside the range
Nanos NanosOf(Stamp time);
Stamp StampOf(Nanos time);
/// Of a duration. \throws RangeError  above 292 years
Nanos NanosOf(Days duration);

}  // namespace openmi::broker
