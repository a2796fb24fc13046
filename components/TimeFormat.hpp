#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace openmi {

/// The format of dates in a file that are not ISO 8601: `"%d.%m.%Y %H:%M"`, `"%m/%d/%Y %I:%M %p"`.
///
/// - `%Y` is a year of four digits, `%y` one of two (69 to 99 are 1969 to 1999).
/// - `%m` is the month, `%b` its English name of three letters, `%d` the day, `%j` the day of the year.
/// - `%H` is the hour (24:00 ends a day), `%I` the hour from 1 to 12 with `%p` for AM and PM.
/// - `%M` is the minute, `%S` the second with or without a fraction, `%z` the zone, `%%` a percent sign.
///
/// A number may have fewer digits than usual. A blank matches any number of blanks.
///
/// Source: POSIX.1-2017, strptime; those of its conversions that give a point in time.
class TimeFormat {
 public:
  /// \throws FormatError  a conversion is unknown, or the conversions give no date
  explicit TimeFormat(std::string format);

  /// Whether the format has the zone.
  bool HasZone() const { return format_.find("%z") != std::string::npos; }
  /// Reads a date.
  /// \param text  the date
  /// \param assumed_offset_hours  the zone of a text without one; nothing: such a text is refused
  /// \returns Modified Julian Day, UTC
  /// \throws FormatError  the text does not have this format, or the calendar has no such day; the message gives both
  double Read(std::string_view text, std::optional<double> assumed_offset_hours) const;
  /// Whether the text has this format; the calendar is not checked.
  bool Fits(std::string_view text) const;
  /// Whether the text has this format, or the part of it before or after a blank: the date or the time of day, if they
  /// are in two cells.
  bool FitsPart(std::string_view text) const;
  const std::string& Text() const { return format_; }

 private:
  std::string format_;
};

/// Guesses the format of `text`: `"%Y/%m/%d %H:%M:%S"` for "2015/12/01 00:00:00".
///
/// \returns two formats, with " or " between, if day and month cannot be distinguished; empty if no format is found
std::string GuessTimeFormat(std::string_view text);

}  // namespace openmi
