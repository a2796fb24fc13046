#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "timespace/times/Stamp.hpp"

namespace openmi::broker {

/// Nanoseconds: of a point in time since 1970-01-01T00:00Z, else of a duration. The range is 1677 to 2262.
using Nanos = std::int64_t;

inline constexpr Nanos kNanosPerSecond = 1'000'000'000;

/// Reads the stamp of a message: a date and a time of day by ISO 8601 with a zone.
///
/// Examples are "2019-01-04T16:41:24.1+02:00", and the zones `Z`, `+0200` and `+02`. The result is exact; digits below
/// the nanosecond are dropped. A blank may replace the `T`, and `T` and `Z` may be lower case. 24:00 is the start of
/// the next day, and a leap second (60) is the start of the next minute.
/// \param zone_minutes  offset of a text without a zone, minutes east of UTC; nothing: such a text is refused
/// \returns nothing where the text is no such stamp or is outside the range
std::optional<Nanos> ParseWallTime(std::string_view text, std::optional<int> zone_minutes = std::nullopt);

/// The text "2019-01-04T14:41:24.1Z" of a point in time: UTC, with as many digits as the fraction has.
std::string FormatWallTime(Nanos time);

/// The text "12.5 s" of a duration, with as many digits as it has.
std::string FormatNanos(Nanos duration);

/// The time of this machine's clock.
Nanos WallClock();

/// A stamp in nanoseconds, rounded to the microsecond, because a stamp resolves only 0.6 microseconds.
/// \throws RangeError  outside the range of Nanos
Nanos NanosOf(Stamp time);
Stamp StampOf(Nanos time);
/// A duration in nanoseconds.
/// \throws RangeError  above 292 years
Nanos NanosOf(Days duration);

/// The time zero that streams of one process share: the first stream that starts sets it, from its first message.
class TimeZero {
 public:
  /// The time zero of that name; it is freed with its last user.
  static std::shared_ptr<TimeZero> Of(const std::string& name);

  std::optional<Nanos> Get() const;
  void Set(Nanos zero);

 private:
  mutable std::mutex mutex_;
  std::optional<Nanos> zero_;
};

}  // namespace openmi::broker
