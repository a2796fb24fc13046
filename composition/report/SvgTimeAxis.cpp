#include "composition/report/SvgTimeAxis.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>

namespace openmi {
namespace {

constexpr std::int64_t kUnixEpoch = 40587;  // Modified Julian Day of 1970-01-01
constexpr double kMillisecondsPerDay = 86400000.0;
constexpr double kFirstDay = -4331000.0;  // about year -9999
constexpr double kLastDay = 2973484.0;    // end of year 9999

bool HasDate(double day) {
  return std::isfinite(day) && day > kFirstDay && day < kLastDay;
}

struct Moment {
  std::chrono::year_month_day date;
  std::int64_t milliseconds = 0;  // of the day
};

Moment Split(double day) {
  // A stamp resolves less than a microsecond, so rounding to milliseconds restores the intended time.
  const auto total = static_cast<std::int64_t>(std::llround(day * kMillisecondsPerDay));
  constexpr auto per_day = static_cast<std::int64_t>(kMillisecondsPerDay);
  const std::int64_t days = total >= 0 ? total / per_day : -((-total + per_day - 1) / per_day);
  return {std::chrono::sys_days{std::chrono::days{days - kUnixEpoch}}, total - days * per_day};
}

double DayOf(const std::chrono::year_month_day& date) {
  return static_cast<double>(std::chrono::sys_days{date}.time_since_epoch().count() + kUnixEpoch);
}

std::string DateText(const std::chrono::year_month_day& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

std::string ClockText(std::int64_t milliseconds) {
  const std::int64_t minutes = milliseconds / 60000;
  const std::int64_t rest = milliseconds % 60000;
  std::string text = fmt::format("{:02}:{:02}", minutes / 60, minutes % 60);
  if (rest % 1000 != 0) {
    text += fmt::format(":{:02}.{:03}", rest / 1000, rest % 1000);
  } else if (rest != 0) {
    text += fmt::format(":{:02}", rest / 1000);
  }
  return text;
}

std::vector<TimeTick> ClockTicks(double from, double to, double step) {
  std::vector<TimeTick> ticks;
  const auto first = static_cast<std::int64_t>(std::ceil(from / step - 1e-6));
  const auto last = static_cast<std::int64_t>(std::floor(to / step + 1e-6));
  std::string previous_date;
  for (std::int64_t count = first; count <= last; ++count) {
    const double time = static_cast<double>(count) * step;
    const Moment moment = Split(time);
    std::string date = DateText(moment.date);
    ticks.push_back({time, ClockText(moment.milliseconds), date == previous_date ? std::string() : date});
    previous_date = std::move(date);
  }
  return ticks;
}

std::vector<TimeTick> DayTicks(double from, double to, unsigned step) {
  std::vector<TimeTick> ticks;
  for (double day = std::ceil(from - 1e-9); day <= to + 1e-9; day += 1.0) {
    const Moment moment = Split(day);
    const unsigned offset = static_cast<unsigned>(moment.date.day()) - 1;
    // A label at day 31 would touch that of the first day of the next month.
    if (offset % step == 0 && (step == 1 || offset < 30)) ticks.push_back({day, DateText(moment.date), {}});
  }
  return ticks;
}

std::vector<TimeTick> MonthTicks(double from, double to, int step) {
  std::vector<TimeTick> ticks;
  const Moment begin = Split(from);
  int month =
      static_cast<int>(begin.date.year()) * 12 + static_cast<int>(static_cast<unsigned>(begin.date.month())) - 1;
  month -= ((month % step) + step) % step;
  for (;; month += step) {
    const int year = month >= 0 ? month / 12 : -((-month + 11) / 12);
    const auto number = static_cast<unsigned>(month - year * 12 + 1);
    const double day = DayOf({std::chrono::year{year}, std::chrono::month{number}, std::chrono::day{1}});
    if (day > to + 1e-9) return ticks;
    if (day >= from - 1e-9) {
      ticks.push_back(
          {day, step % 12 == 0 ? fmt::format("{:04}", year) : fmt::format("{:04}-{:02}", year, number), {}});
    }
  }
}

}  // namespace

std::string ShortIsoDate(double modified_julian_day) {
  return HasDate(modified_julian_day) ? DateText(Split(modified_julian_day).date)
                                      : fmt::format("MJD {:g}", modified_julian_day);
}

std::string ShortIsoTime(double modified_julian_day) {
  if (!std::isfinite(modified_julian_day)) return "-";
  if (!HasDate(modified_julian_day)) return fmt::format("MJD {:g}", modified_julian_day);
  const Moment moment = Split(modified_julian_day);
  return DateText(moment.date) + "T" + ClockText(moment.milliseconds) + "Z";
}

std::vector<TimeTick> TimeTicks(double from, double to, int at_most) {
  if (!(from < to) || !HasDate(from) || !HasDate(to)) return {};
  const double shortest = (to - from) / std::max(at_most, 2);
  constexpr double second = 1.0 / 86400.0;
  constexpr std::array<double, 27> clock_steps{0.001, 0.002, 0.005, 0.01, 0.02, 0.05,  0.1,   0.2,   0.5,
                                               1,     2,     5,     10,   15,   30,    60,    120,   300,
                                               600,   900,   1800,  3600, 7200, 10800, 14400, 21600, 43200};
  for (const double seconds : clock_steps) {
    if (seconds * second >= shortest) return ClockTicks(from, to, seconds * second);
  }
  for (const unsigned days : {1u, 2u, 5u, 10u}) {
    if (days >= shortest) return DayTicks(from, to, days);
  }
  for (const int months : {1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200}) {
    if (months * 30.4 >= shortest) return MonthTicks(from, to, months);
  }
  return MonthTicks(from, to, 12000);
}

}  // namespace openmi
