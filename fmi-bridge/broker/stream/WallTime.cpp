#include "fmi-bridge/broker/stream/WallTime.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/SharedByKey.hpp"
#include "openmi/sdk/TextScan.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::broker {
namespace {

constexpr double kMjdOfEpoch = 40587.0;  // 1970-01-01
constexpr std::int64_t kMostSeconds = 9'223'372'035;

/// Reads the digits of a fraction of a second, cut to nanoseconds.
bool TakeFraction(TextScan& scan, Nanos& nanos) {
  const bool any = scan.AtDigit();
  for (Nanos unit = kNanosPerSecond / 10; scan.AtDigit(); scan.Skip(1), unit /= 10) nanos += unit * (scan.Peek() - '0');
  return any;
}

/// Minutes east of UTC; nothing where the rest is no zone.
std::optional<int> ZoneOf(TextScan& scan) {
  if (scan.Take('Z') || scan.Take('z')) return scan.AtEnd() ? std::optional(0) : std::nullopt;
  const int sign = scan.Take('-') ? -1 : scan.Take('+') ? 1 : 0;
  if (sign == 0) return std::nullopt;
  const auto hours = scan.Digits(2);
  std::optional<int> minutes = 0;
  if (!scan.AtEnd()) {
    scan.Take(':');
    minutes = scan.Digits(2);
  }
  if (!hours || !minutes || !scan.AtEnd() || *hours > 23 || *minutes > 59) return std::nullopt;
  return sign * (*hours * 60 + *minutes);
}

}  // namespace

std::optional<Nanos> ParseWallTime(std::string_view text, std::optional<int> zone_minutes) {
  TextScan scan(text);
  const auto year = scan.Digits(4);
  const bool has_month = scan.Take('-');
  const auto month = scan.Digits(2);
  const bool has_day = scan.Take('-');
  const auto day = scan.Digits(2);
  if (!year || !has_month || !month || !has_day || !day) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || !(scan.Take('T') || scan.Take('t') || scan.Take(' '))) return std::nullopt;
  const auto hour = scan.Digits(2);
  const bool has_minute = scan.Take(':');
  const auto minute = scan.Digits(2);
  if (!hour || !has_minute || !minute) return std::nullopt;
  std::optional<int> second = 0;
  Nanos fraction = 0;
  if (scan.Take(':')) {
    second = scan.Digits(2);
    if (!second || ((scan.Take('.') || scan.Take(',')) && !TakeFraction(scan, fraction))) return std::nullopt;
  }
  const bool is_midnight = hour == 24 && minute == 0 && second == 0 && fraction == 0;
  if ((*hour > 23 && !is_midnight) || *minute > 59 || *second > 60) return std::nullopt;
  if (second == 60) fraction = 0;
  const std::optional<int> zone = scan.AtEnd() ? zone_minutes : ZoneOf(scan);
  if (!zone) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86'400 + *hour * 3'600 + (*minute - *zone) * 60 + *second;
  if (seconds > kMostSeconds || seconds < -kMostSeconds) return std::nullopt;
  return seconds * kNanosPerSecond + fraction;
}

std::string FormatWallTime(Nanos time) {
  Nanos seconds = time / kNanosPerSecond;
  Nanos fraction = time % kNanosPerSecond;
  if (fraction < 0) {
    fraction += kNanosPerSecond;
    --seconds;
  }
  const std::chrono::sys_seconds point{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date(day);
  const std::int64_t clock = (point - day).count();
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                                 static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock / 3600,
                                 clock / 60 % 60, clock % 60);
  if (fraction != 0) {
    text += fmt::format(".{:09}", fraction);
    while (text.back() == '0') text.pop_back();
  }
  return text + "Z";
}

std::string FormatNanos(Nanos duration) {
  std::string text = fmt::format("{}{}.{:09}", duration < 0 ? "-" : "", std::abs(duration / kNanosPerSecond),
                                 std::abs(duration % kNanosPerSecond));
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

Nanos WallClock() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Nanos NanosOf(Stamp time) {
  const double micros = std::round((time.mjd - kMjdOfEpoch) * kMicrosPerDay);
  if (!(std::fabs(micros) < 9.2e15)) {
    throw RangeError({}, fmt::format("expected a time from 1678 to 2261, found {}", FormatIsoTime(time)),
                     "choose other times for the run");
  }
  return static_cast<Nanos>(micros) * 1000;
}

Stamp StampOf(Nanos time) {
  // Adds the whole days separately, so that only what a stamp cannot hold is lost.
  constexpr Nanos kDay = 86'400 * kNanosPerSecond;
  const Nanos days = time / kDay - (time % kDay < 0 ? 1 : 0);
  return Stamp{kMjdOfEpoch + static_cast<double>(days) + static_cast<double>(time - days * kDay) / kTicksPerDay};
}

Nanos NanosOf(Days duration) {
  const double nanos = std::round(duration.count * kTicksPerDay);
  if (!(std::fabs(nanos) < 9.2e18)) {
    throw RangeError({}, fmt::format("expected a duration below 292 years, found {} d", duration.count),
                     "choose a shorter one");
  }
  return static_cast<Nanos>(nanos);
}

std::shared_ptr<TimeZero> TimeZero::Of(const std::string& name) {
  static SharedByKey<std::string, TimeZero> all;
  return all.Get(name, [] { return std::make_shared<TimeZero>(); });
}

std::optional<Nanos> TimeZero::Get() const {
  const std::lock_guard lock(mutex_);
  return zero_;
}

void TimeZero::Set(Nanos zero) {
  const std::lock_guard lock(mutex_);
  zero_ = zero;
}

}  // namespace openmi::broker
