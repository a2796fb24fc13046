#include "components/TimeFormat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::string_view kKnown = "YymbdjHIpMSz%";
constexpr std::array<std::string_view, 12> kMonths{"jan", "feb", "mar", "apr", "may", "jun",
                                                   "jul", "aug", "sep", "oct", "nov", "dec"};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The parts of a text read so far.
struct Fields {
  std::optional<int> year, month, day, day_of_year, hour;
  int minute = 0;
  double second = 0.0;
  std::optional<bool> afternoon;
  std::string zone;
};

/// Takes one digit or more, up to `most`, from the left of `rest`.
std::optional<int> TakeNumber(std::string_view& rest, std::size_t most) {
  std::size_t count = 0;
  while (count < std::min(most, rest.size()) && IsDigit(rest[count])) ++count;
  int number = 0;
  if (count == 0 || std::from_chars(rest.data(), rest.data() + count, number).ec != std::errc()) return std::nullopt;
  rest.remove_prefix(count);
  return number;
}

std::optional<double> TakeSeconds(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
  double seconds = 0.0;
  const auto [last, error] = std::from_chars(rest.data(), rest.data() + end, seconds, std::chars_format::fixed);
  if (error != std::errc() || seconds >= 61.0) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(last - rest.data()));
  return seconds;
}

bool InRange(const std::optional<int>& number, int least, int most) {
  return number && *number >= least && *number <= most;
}

/// Reads one conversion; false if the text does not match it.
bool Take(char conversion, std::string_view& rest, Fields& fields) {
  switch (conversion) {
    case 'Y': {
      const std::size_t before = rest.size();
      fields.year = TakeNumber(rest, 4);
      return fields.year && before - rest.size() == 4;
    }
    case 'y': {
      const std::optional<int> year = TakeNumber(rest, 2);
      if (year) fields.year = *year + (*year >= 69 ? 1900 : 2000);
      return year.has_value();
    }
    case 'm':
      fields.month = TakeNumber(rest, 2);
      return InRange(fields.month, 1, 12);
    case 'b': {
      const auto* found = std::ranges::find(kMonths, Lower(rest.substr(0, 3)));
      if (found == kMonths.end()) return false;
      fields.month = static_cast<int>(found - kMonths.begin()) + 1;
      rest.remove_prefix(3);
      return true;
    }
    case 'd':
      fields.day = TakeNumber(rest, 2);
      return InRange(fields.day, 1, 31);
    case 'j':
      fields.day_of_year = TakeNumber(rest, 3);
      return InRange(fields.day_of_year, 1, 366);
    case 'H':
      fields.hour = TakeNumber(rest, 2);
      return InRange(fields.hour, 0, 24);
    case 'I':
      fields.hour = TakeNumber(rest, 2);
      return InRange(fields.hour, 1, 12);
    case 'p': {
      const std::string half = Lower(rest.substr(0, 2));
      if (half != "am" && half != "pm") return false;
      fields.afternoon = half == "pm";
      rest.remove_prefix(2);
      return true;
    }
    case 'M': {
      const std::optional<int> minute = TakeNumber(rest, 2);
      fields.minute = minute.value_or(0);
      return InRange(minute, 0, 59);
    }
    case 'S': {
      const std::optional<double> second = TakeSeconds(rest);
      fields.second = second.value_or(0.0);
      return second.has_value();
    }
    case 'z': {
      const std::size_t end = std::min(rest.find_first_not_of("+-:Zz0123456789"), rest.size());
      fields.zone = rest.substr(0, end);
      rest.remove_prefix(end);
      return end > 0;
    }
    default:  // "%%"
      if (!rest.starts_with('%')) return false;
      rest.remove_prefix(1);
      return true;
  }
}

bool TakeAll(std::string_view format, std::string_view rest, Fields& fields) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] == '%') {
      if (!Take(format[++i], rest, fields)) return false;
    } else if (IsBlank(format[i])) {
      while (i + 1 < format.size() && IsBlank(format[i + 1])) ++i;
      const std::size_t blanks = std::min(rest.find_first_not_of(kBlanks), rest.size());
      if (blanks == 0) return false;
      rest.remove_prefix(blanks);
    } else {
      if (!rest.starts_with(format[i])) return false;
      rest.remove_prefix(1);
    }
  }
  return rest.empty();
}

/// "2015-12-01", or nothing if the calendar has no such day.
std::optional<std::string> DateOf(const Fields& fields) {
  using namespace std::chrono;
  year_month_day date{year{*fields.year}, month{static_cast<unsigned>(fields.month.value_or(1))},
                      day{static_cast<unsigned>(fields.day.value_or(1))}};
  if (!date.ok()) return std::nullopt;
  if (fields.day_of_year) date = year_month_day{sys_days{date} + days{*fields.day_of_year - 1}};
  if (date.year() != year{*fields.year}) return std::nullopt;
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace

TimeFormat::TimeFormat(std::string format) : format_(Trimmed(format)) {
  std::string found;
  for (std::size_t i = 0; i < format_.size(); ++i) {
    if (format_[i] != '%') continue;
    const char conversion = i + 1 < format_.size() ? format_[i + 1] : '\0';
    if (conversion == '\0' || kKnown.find(conversion) == std::string_view::npos) {
      throw FormatError(
          {}, fmt::format("expected one of %Y %y %m %b %d %j %H %I %p %M %S %z %% , found '{}'", format_.substr(i, 2)),
          "write the format as in %d.%m.%Y %H:%M");
    }
    found += conversion;
    ++i;
  }
  const auto has = [&found](char conversion) { return found.find(conversion) != std::string::npos; };
  const bool is_date = (has('Y') || has('y')) && (has('j') || ((has('m') || has('b')) && has('d')));
  if (!is_date || has('I') != has('p')) {
    throw FormatError({},
                      fmt::format("expected a year, a month and a day (and %I together with %p), found '{}'", format_),
                      "write the format as in %d.%m.%Y %H:%M");
  }
}

bool TimeFormat::Fits(std::string_view text) const {
  Fields fields;
  return TakeAll(format_, Trimmed(text), fields);
}

bool TimeFormat::FitsPart(std::string_view text) const {
  if (Fits(text)) return true;
  const std::string_view format = format_;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (!IsBlank(format[i])) continue;
    for (const std::string_view part : {Trimmed(format.substr(0, i)), Trimmed(format.substr(i))}) {
      Fields fields;
      if (TakeAll(part, Trimmed(text), fields)) return true;
    }
  }
  return false;
}

double TimeFormat::Read(std::string_view text, std::optional<double> assumed_offset_hours) const {
  Fields fields;
  if (!TakeAll(format_, Trimmed(text), fields)) {
    throw FormatError({}, fmt::format("expected a time of the form '{}', found '{}'", format_, text),
                      "correct the row, or the argument time-format");
  }
  const std::optional<std::string> date = DateOf(fields);
  if (!date) {
    throw FormatError({}, fmt::format("expected a day that the calendar has, found '{}'", text), "correct the day");
  }
  int hour = fields.hour.value_or(0);
  if (fields.afternoon) hour = hour % 12 + (*fields.afternoon ? 12 : 0);
  return ParseIsoTime(fmt::format("{}T{:02}:{:02}:{:09.6f}{}", *date, hour, fields.minute, fields.second, fields.zone),
                      assumed_offset_hours)
      .mjd;
}

std::string GuessTimeFormat(std::string_view text) {
  static constexpr std::array<std::string_view, 8> kDates{"%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d.%m.%y",
                                                          "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%d %b %Y"};
  static constexpr std::array<std::string_view, 5> kClocks{"", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p"};
  std::string formats;
  for (const std::string_view date : kDates) {
    for (const std::string_view clock : kClocks) {
      const std::string format = std::string(date) + std::string(clock);
      Fields fields;
      if (!TakeAll(format, Trimmed(text), fields) || !DateOf(fields)) continue;
      formats += (formats.empty() ? "" : " or ") + format;
    }
  }
  return formats;
}

}  // namespace openmi
