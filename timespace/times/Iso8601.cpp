#include "timespace/times/Iso8601.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/TextScan.hpp"

namespace openmi {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kMicrosInADay = 86'400 * kMicrosPerSecond;
constexpr std::int64_t kDaysFromMjdToUnix = 40'587;  // 1970-01-01

/// The digits after a decimal sign, as microseconds, rounded.
std::optional<std::int64_t> TakeFraction(TextScan& scan) {
  std::int64_t micros = 0;
  std::int64_t scale = 100'000;
  std::size_t count = 0;
  bool round_up = false;
  for (; scan.AtDigit(); scan.Skip(1)) {
    const int digit = scan.Peek() - '0';
    if (scale > 0) {
      micros += digit * scale;
    } else if (count == 6) {
      round_up = digit >= 5;
    }
    scale /= 10;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return micros + (round_up ? 1 : 0);
}

/// A number with a decimal point or, as ISO 8601 prefers, comma.
std::optional<double> TakeNumber(TextScan& scan) {
  std::string text(scan.Rest().substr(0, scan.Rest().find_first_not_of("+-.,0123456789eE")));
  std::replace(text.begin(), text.end(), ',', '.');
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  scan.Skip(static_cast<std::size_t>(end - text.data()));
  return number;
}

[[noreturn]] void ThrowTime(std::string_view text, const char* remedy = "write it as in 2015-12-01T06:30Z") {
  throw FormatError({}, fmt::format("expected a time by ISO 8601, found '{}'", text), remedy);
}

struct Parsed {
  std::int64_t micros = 0;  // since MJD 0, in the zone of the text
  std::optional<std::int64_t> offset_micros;
};

[[noreturn]] void ThrowNoSuchDay(std::string_view text, int year, unsigned month) {
  const std::chrono::year_month_day_last last{std::chrono::year{year},
                                              std::chrono::month_day_last{std::chrono::month{month}}};
  throw FormatError({}, fmt::format("expected a day that the calendar has, found '{}'", text),
                    fmt::format("{:04}-{:02} has {} days", year, month, static_cast<unsigned>(last.day())));
}

/// \param text  the whole text, for messages
std::optional<std::int64_t> ParseDate(TextScan& scan, std::string_view text) {
  const auto year = scan.Digits(4);
  const bool extended = scan.Take('-');
  const auto month = scan.Digits(2);
  if (extended && !scan.Take('-')) return std::nullopt;
  const auto day = scan.Digits(2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year}, std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (date.month().ok() && date.day().ok() && !date.ok()) ThrowNoSuchDay(text, *year, static_cast<unsigned>(*month));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date}.time_since_epoch().count() + kDaysFromMjdToUnix;
}

std::optional<std::int64_t> ParseClock(TextScan& scan) {
  const auto hour = scan.Digits(2);
  const bool extended = scan.Take(':');
  const auto minute = scan.Digits(2);
  if (!hour || !minute || *hour > 24 || *minute > 59) return std::nullopt;
  int second = 0;
  std::int64_t fraction = 0;
  if (extended ? scan.Take(':') : scan.AtDigit()) {
    const auto digits = scan.Digits(2);
    if (!digits || *digits > 60) return std::nullopt;
    second = *digits;
    if (scan.Take('.') || scan.Take(',')) {
      const auto micros = TakeFraction(scan);
      if (!micros) return std::nullopt;
      fraction = *micros;
    }
  }
  const std::int64_t micros = ((*hour * 60LL + *minute) * 60 + second) * kMicrosPerSecond + fraction;
  if (*hour == 24 && micros != kMicrosInADay) return std::nullopt;
  return micros;
}

/// The offset, or no value if the text has none; `good` is false for an invalid offset.
std::optional<std::int64_t> ParseZone(TextScan& scan, bool& good) {
  if (scan.Take('Z') || scan.Take('z')) return 0;
  const bool minus = scan.Peek() == '-';
  if (!minus && scan.Peek() != '+') return std::nullopt;
  scan.Take(scan.Peek());
  const auto hours = scan.Digits(2);
  int minutes = 0;
  if (hours && !scan.AtEnd()) {
    scan.Take(':');
    const auto digits = scan.Digits(2);
    good = digits.has_value() && *digits < 60;
    minutes = digits.value_or(0);
  }
  good = good && hours.has_value() && *hours <= 14;
  const std::int64_t micros = (hours.value_or(0) * 60LL + minutes) * 60 * kMicrosPerSecond;
  return minus ? -micros : micros;
}

Parsed Parse(std::string_view original) {
  const std::string_view text = Trimmed(original);
  TextScan scan(text);
  const auto day = ParseDate(scan, original);
  if (!day) ThrowTime(original);
  Parsed parsed{*day * kMicrosInADay, std::nullopt};
  if (scan.Take('T') || scan.Take('t') || (scan.Peek() == ' ' && scan.Take(' '))) {
    const auto clock = ParseClock(scan);
    if (!clock) ThrowTime(original);
    parsed.micros += *clock;
  }
  bool good = true;
  parsed.offset_micros = ParseZone(scan, good);
  if (!good || !scan.AtEnd()) ThrowTime(original);
  return parsed;
}

double DaysOfMicros(std::int64_t micros) {
  // Whole days and the rest separately, so that only the last addition rounds.
  std::int64_t days = micros / kMicrosInADay;
  std::int64_t rest = micros % kMicrosInADay;
  if (rest < 0) {
    rest += kMicrosInADay;
    --days;
  }
  return static_cast<double>(days) + static_cast<double>(rest) / static_cast<double>(kMicrosInADay);
}

/// Seconds with as many digits as microseconds need.
std::string SecondsText(std::int64_t micros, int width) {
  std::string text = fmt::format("{:0{}}", micros / kMicrosPerSecond, width);
  if (const std::int64_t fraction = micros % kMicrosPerSecond; fraction != 0) {
    std::string digits = fmt::format("{:06}", fraction);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return text;
}

[[noreturn]] void ThrowDuration(std::string_view text, const char* remedy = "write it as in PT1H, P7D or 3600 s") {
  throw FormatError({}, fmt::format("expected a duration, found '{}'", text), remedy);
}

constexpr double kMostDays = 1e8;  // 273 800 years: in microseconds this fits 64 bits

double InRange(double days, std::string_view original) {
  if (std::abs(days) > kMostDays) {
    throw FormatError({}, fmt::format("expected a duration of at most {:.0f} days, found '{}'", kMostDays, original),
                      "write a shorter one");
  }
  return days;
}

double NumberWithUnit(std::string_view original) {
  TextScan scan(Trimmed(original));
  const auto number = TakeNumber(scan);
  const std::string_view unit = Trimmed(scan.Rest());
  if (!number || !std::isfinite(*number)) ThrowDuration(original);
  struct Known {
    std::string_view name;
    double per_day;
  };
  constexpr Known kUnits[] = {
      {"s", 86400},    {"sec", 86400},      {"second", 86400},   {"seconds", 86400}, {"ms", 86400e3},
      {"us", 86400e6}, {"ns", 86400e9},     {"min", 1440},       {"minute", 1440},   {"minutes", 1440},
      {"h", 24},       {"hour", 24},        {"hours", 24},       {"d", 1},           {"day", 1},
      {"days", 1},     {"week", 1.0 / 7.0}, {"weeks", 1.0 / 7.0}};
  for (const Known& known : kUnits) {
    if (known.name == unit) return InRange(*number / known.per_day, original);
  }
  ThrowDuration(original);
}

}  // namespace

Stamp ParseIsoTime(std::string_view text, std::optional<double> assumed_offset_hours) {
  const Parsed parsed = Parse(text);
  if (!parsed.offset_micros && !assumed_offset_hours) {
    ThrowTime(text, "state the zone, as in 2015-12-01T06:30Z or 2015-12-01T06:30+01:00");
  }
  const std::int64_t offset =
      parsed.offset_micros ? *parsed.offset_micros : std::llround(*assumed_offset_hours * 3600.0 * kMicrosPerSecond);
  return {DaysOfMicros(parsed.micros - offset)};
}

bool HasZone(std::string_view text) {
  return Parse(text).offset_micros.has_value();
}

std::string FormatIsoTime(Stamp time) {
  const double mjd = time.mjd;
  if (std::isnan(mjd)) return "nan";
  if (std::isinf(mjd)) return mjd < 0 ? "-inf" : "inf";
  const double whole = std::floor(mjd);
  std::int64_t days = static_cast<std::int64_t>(std::fmax(std::fmin(whole, 3e6), -1e6));
  std::int64_t micros = std::llround((mjd - whole) * static_cast<double>(kMicrosInADay));
  if (micros >= kMicrosInADay) {
    micros -= kMicrosInADay;
    ++days;
  }
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days - kDaysFromMjdToUnix}}};
  const std::int64_t minutes = micros / (60 * kMicrosPerSecond);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60, minutes % 60,
                     SecondsText(micros % (60 * kMicrosPerSecond), 2));
}

Days ParseIsoDuration(std::string_view original) {
  const std::string_view text = Trimmed(original);
  TextScan scan(text);
  if (!scan.Take('P')) return {NumberWithUnit(original)};
  double days = 0.0;
  bool in_time = false;
  int last = -1;  // order of designators
  while (!scan.AtEnd()) {
    if (scan.Take('T')) {
      if (in_time || scan.AtEnd()) ThrowDuration(original);
      in_time = true;
      continue;
    }
    const auto number = TakeNumber(scan);
    if (!number || *number < 0 || !std::isfinite(*number)) ThrowDuration(original);
    const char designator = scan.Peek();
    if (designator == '\0') ThrowDuration(original);
    scan.Take(designator);
    if (designator == 'Y' || (designator == 'M' && !in_time)) {
      ThrowDuration(original, "years and months have no fixed length: write days (P30D)");
    }
    struct Known {
      char designator;
      bool in_time;
      int order;
      double per_day;
    };
    constexpr Known kKnown[] = {{'W', false, 0, 1.0 / 7.0},
                                {'D', false, 1, 1},
                                {'H', true, 2, 24},
                                {'M', true, 3, 1440},
                                {'S', true, 4, 86400}};
    const Known* found = nullptr;
    for (const Known& known : kKnown) {
      if (known.designator == designator && known.in_time == in_time) found = &known;
    }
    if (found == nullptr || found->order <= last) ThrowDuration(original);
    last = found->order;
    days += *number / found->per_day;
  }
  if (last < 0) ThrowDuration(original);
  return {InRange(days, original)};
}

std::string FormatIsoDuration(Days span) {
  const double days = span.count;
  if (!std::isfinite(days)) return days < 0 ? "-inf" : "inf";
  const bool negative = days < 0;
  const double magnitude = std::fmin(std::fabs(days), kMostDays);
  std::int64_t micros = std::llround(magnitude * static_cast<double>(kMicrosInADay));
  std::string text = negative && micros != 0 ? "-P" : "P";
  if (const std::int64_t whole = micros / kMicrosInADay; whole > 0) text += fmt::format("{}D", whole);
  micros %= kMicrosInADay;
  const std::int64_t seconds = micros % (60 * kMicrosPerSecond);
  const std::int64_t minutes = micros / (60 * kMicrosPerSecond);
  if (micros > 0 || text.back() == 'P') text += "T";
  if (minutes / 60 > 0) text += fmt::format("{}H", minutes / 60);
  if (minutes % 60 > 0) text += fmt::format("{}M", minutes % 60);
  if (seconds > 0 || text.back() == 'T') text += SecondsText(seconds, 1) + "S";
  return text;
}

}  // namespace openmi
