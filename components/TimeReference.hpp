#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// How numbers are read as times: as a number of units since a date.
class TimeReference {
 public:
  /// Reads "hours since 2015-12-01 00:00:00 +01:00", or "hours" if the date is given separately.
  ///
  /// \param text  a unit from nanoseconds to weeks, then "since" and a date
  /// \param epoch  the date if the text has none; may be empty
  /// \param assumed_offset  the zone of a date without one, in hours; nothing: such a date is refused
  /// \throws FormatError  the text is no such reference, there is no date, or the date has no zone
  ///
  /// Source: [CF-1.8], sec. 4.4, which takes dates without a zone as UTC.
  static TimeReference Parse(std::string_view text, const std::string& epoch,
                             std::optional<double> assumed_offset = 0.0);

  /// Whether a text has "since", so that it needs no `epoch`.
  static bool HasDate(std::string_view text);

  /// The stamp of a number of units.
  Stamp At(double number) const { return Stamp{epoch_mjd_ + number / per_day_}; }

 private:
  double epoch_mjd_ = 0.0;
  double per_day_ = 1.0;
};

/// Reads a zone: "+00:00", "-05:00", "+0530", "+1", "UTC", "Z".
/// \returns hours
/// \throws FormatError  the text is no zone
double ParseUtcOffset(std::string_view text);

}  // namespace openmi
