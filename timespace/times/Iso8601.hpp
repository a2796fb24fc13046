#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Reads a point in time: "2015-12-01", "2015-12-01T06:30Z", "2015-12-01 06:30:00.25+01:00".
///
/// The calendar is the proleptic Gregorian one. 24:00 is the start of the next day; a leap second (60) is read as the
/// start of the next minute.
///
/// Source: ISO 8601-1:2019, 5.2 to 5.4.
/// \param assumed_offset_hours  the zone of a text without one; no value: such a text is refused
/// \returns UTC, exact to the microsecond
/// \throws FormatError  the text is not a time; names the text and what was expected
Stamp ParseIsoTime(std::string_view text, std::optional<double> assumed_offset_hours = std::nullopt);

/// Whether the text of a time states its zone (Z or an offset).
bool HasZone(std::string_view text);

/// The time as text: "2015-12-01T06:30:00Z".
///
/// Fractions of a second are written as far as needed, down to the microsecond. Infinite times are "-inf" and "inf".
/// \param time  UTC
std::string FormatIsoTime(Stamp time);

/// Reads a duration: "P7D", "PT1H30M", "P2W", "PT0.5S", or a number with a unit: "3600 s", "30 min", "1 h", "1 d".
///
/// Months and years are refused, because their length is not fixed.
///
/// Source: ISO 8601-1:2019, 5.5.2.
/// \throws FormatError  the text is not a duration
Days ParseIsoDuration(std::string_view text);

/// The duration as text: "P1DT12H", "PT15M", "PT0.001S"; "PT0S" for 0.
std::string FormatIsoDuration(Days span);

}  // namespace openmi
