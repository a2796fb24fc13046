#pragma once

namespace openmi {

/// A time stamp, or a time span that starts at the stamp.
///
/// Source: OGC 11-014r3, requirement 5.1 (/req/temporal-definition/ITime), table 16.
class ITime {
 public:
  virtual ~ITime() = default;

  /// The length of the span in days; 0 for a stamp.
  virtual double DurationInDays() const = 0;

  /// Days since 1858-11-17 00:00 in the zone of the time set. Earlier times are negative.
  virtual double StampAsModifiedJulianDay() const = 0;
};

}  // namespace openmi
