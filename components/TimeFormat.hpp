#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace openmi {

/// How the dates of a file are written where they are not ISO 8601: "%d.%m.%Y %H:%M", "%m/%d/%Y %I:%M %p".
///
/// %Y is a year of four digits, %y one of two (69 to 99 are 1969 to 1999), %m the month, %b its English name of three
/// letters, %d the day, %j the day of the year, %H the hour (24:00 ends a day), %I the hour from 1 to 12 with %p for AM
/// and PM, %M the minute, %S the second with or without a fraction, %z the zone, %% a percent sign. A number may have
/// fewer digits than usual; a blank stands for any number of blanks.
///
/// Source: POSIX.1-2017, strptime; of its conversions those that name a point in time.
class TimeFormat {
 public:
  /// \throws FormatError  a conversion is not known, or no date comes out of the text
  explicit TimeFormat(std::string format);

  /// Whether the text holds the zone.
  bool HasZone() const { return format_.find("%z") != std::string::npos; }
  /// \param assumed_offset_hours  the zone of a text without one; nothing: such a text is refused
  /// \returns Modified Julian Day, UTC
  /// \throws FormatError  the text is not of this form, or the calendar has no such day; names both
  double Read(std::string_view text, std::optional<double> assumed_offset_hours) const;
  /// Whether the text is of this form; the calendar is not asked.
  bool Fits(std::string_view text) const;
  /// Whether the text is of this form, or of the part of it before or after a blank: the date or the time of the day
  /// where they stand in two cells.
  bool FitsPart(std::string_view text) const;
  const std::string& Text() const { return format_; }

 private:
  std::string format_;
};

/// The format in which `text` seems to be written: "%Y/%m/%d %H:%M:%S" for "2015/12/01 00:00:00". Where day and month
/// cannot be told apart there are two, between " or ". Empty where nothing is found.
std::string GuessTimeFormat(std::string_view text);

}  // namespace openmi
