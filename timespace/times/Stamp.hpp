#pragma once

#include <compare>
#include <limits>

namespace openmi {

/// A difference between two points in time, in days.
struct Days {
  double count = 0.0;
  friend constexpr auto operator<=>(Days, Days) = default;
};

/// A point in time: days since 1858-11-17T00:00Z (Modified Julian Day).
struct Stamp {
  double mjd = 0.0;
  friend constexpr auto operator<=>(Stamp, Stamp) = default;
};

constexpr Days operator-(Stamp a, Stamp b) {
  return {a.mjd - b.mjd};
}
constexpr Stamp operator+(Stamp t, Days d) {
  return {t.mjd + d.count};
}
constexpr Stamp operator-(Stamp t, Days d) {
  return {t.mjd - d.count};
}
constexpr Days operator+(Days a, Days b) {
  return {a.count + b.count};
}
constexpr Days operator-(Days a, Days b) {
  return {a.count - b.count};
}
constexpr Days operator*(Days d, double factor) {
  return {d.count * factor};
}
constexpr double operator/(Days a, Days b) {
  return a.count / b.count;
}

inline constexpr double kSecondsPerDay = 86400.0;
inline constexpr double kMicrosPerDay = 86400e6;  ///< microseconds
inline constexpr double kTicksPerDay = 86400e9;   ///< nanoseconds: what steps are counted in
/// A difference of `seconds` seconds.
constexpr Days Seconds(double seconds) {
  return {seconds / kSecondsPerDay};
}
/// A difference of `hours` hours.
constexpr Days Hours(double hours) {
  return {hours / 24.0};
}
/// The length of a difference in seconds.
constexpr double ToSeconds(Days days) {
  return days.count * kSecondsPerDay;
}

/// Before every time.
inline constexpr Stamp kFarPast{-std::numeric_limits<double>::infinity()};
/// After every time.
inline constexpr Stamp kFarFuture{std::numeric_limits<double>::infinity()};

/// The only tolerance for equal times: 2 microseconds.
///
/// A double near MJD 60000 has a resolution of 0.63 microseconds, so this is three units in the last place: enough for
/// stamps computed once from ticks. Steps below about 5 microseconds must compare ticks.
inline constexpr Days kTimeTolerance{2e-6 / kSecondsPerDay};

/// Whether two stamps are the same point in time, within the tolerance.
constexpr bool SameTime(Stamp a, Stamp b) {
  return a == b || (a.mjd - b.mjd <= kTimeTolerance.count && b.mjd - a.mjd <= kTimeTolerance.count);
}
/// Whether `a` is before `b` by more than the tolerance.
constexpr bool Before(Stamp a, Stamp b) {
  return a.mjd < b.mjd - kTimeTolerance.count;
}

}  // namespace openmi
