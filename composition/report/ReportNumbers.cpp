#include "composition/report/ReportNumbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <cstddef>

namespace openmi {
namespace {

constexpr std::string_view kThinSpace = "\xE2\x80\x89";  // U+2009
constexpr std::string_view kMinus = "\xE2\x88\x92";      // U+2212
constexpr std::string_view kDash = "\xE2\x80\x93";       // U+2013
constexpr std::string_view kTimes = "\xE2\x80\x89\xC3\x97\xE2\x80\x89";

std::string Superscript(std::string_view digits) {
  constexpr std::array<std::string_view, 10> raised{"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                                    "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                                    "\xE2\x81\xB8", "\xE2\x81\xB9"};
  std::string text;
  for (const char letter : digits) {
    if (letter == '-') {
      text += "\xE2\x81\xBB";
    } else if (letter >= '0' && letter <= '9') {
      text += raised[static_cast<std::size_t>(letter - '0')];
    }
  }
  return text;
}

/// Separates thousands in a plain decimal number with at least five digits before the point.
std::string Group(std::string_view number) {
  const bool is_negative = !number.empty() && number.front() == '-';
  if (is_negative) number.remove_prefix(1);
  const std::size_t whole = std::min(number.find('.'), number.size());
  std::string text{is_negative ? kMinus : std::string_view{}};
  for (std::size_t i = 0; i < whole; ++i) {
    if (i > 0 && whole > 4 && (whole - i) % 3 == 0) text += kThinSpace;
    text += number[i];
  }
  text += number.substr(whole);
  return text;
}

bool IsZeroText(std::string_view number) {
  return number.find_first_not_of("-0.") == std::string_view::npos;
}

}  // namespace

std::string PowerOfTen(int exponent) {
  return "10" + Superscript(fmt::format("{}", exponent));
}

std::string FormatNumber(double value, int significant) {
  if (std::isnan(value)) return std::string(kDash);
  if (std::isinf(value)) return value > 0 ? "\xE2\x88\x9E" : std::string(kMinus) + "\xE2\x88\x9E";
  if (value == 0.0) return "0";
  const std::string scientific = fmt::format("{:.{}e}", value, significant - 1);
  const std::size_t mark = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(mark + 1));
  if (exponent < -4 || exponent >= 12) {
    std::string mantissa = scientific.substr(0, mark);
    if (mantissa.find('.') != std::string::npos) {
      mantissa.erase(mantissa.find_last_not_of('0') + 1);
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    return Group(mantissa) + std::string(kTimes) + PowerOfTen(exponent);
  }
  std::string number = fmt::format("{:.{}f}", value, std::max(0, significant - 1 - exponent));
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return Group(number);
}

std::string CountInWords(double number) {
  if (number >= 1e12) return FormatNumber(number, 3);
  if (number >= 1e9) return FormatNumber(number / 1e9, 3) + " billion";
  return number >= 1e6 ? FormatNumber(number / 1e6, 3) + " million" : FormatNumber(number, 3);
}

std::string FormatFixed(double value, int decimals) {
  if (!std::isfinite(value)) return FormatNumber(value);
  std::string number = fmt::format("{:.{}f}", value, decimals);
  if (IsZeroText(number) && number.front() == '-') number.erase(0, 1);
  return Group(number);
}

std::string FormatPercent(double share, int decimals) {
  if (!std::isfinite(share)) return std::string(kDash);
  const std::string number = fmt::format("{:.{}f}", share * 100.0, decimals);
  const std::string sign = share > 0.0 && !IsZeroText(number) ? "+" : "";
  return sign + FormatFixed(share * 100.0, decimals) + std::string(kThinSpace) + "%";
}

std::string FormatRelative(double share) {
  if (std::isfinite(share) && std::abs(share) >= 1e-4) return FormatPercent(share, std::abs(share) >= 0.01 ? 2 : 3);
  return FormatNumber(share, 2);
}

std::string FormatBytes(double bytes) {
  constexpr std::array<std::string_view, 4> units{"B", "kB", "MB", "GB"};
  std::size_t unit = 0;
  while (bytes >= 1000.0 && unit + 1 < units.size()) {
    bytes /= 1000.0;
    ++unit;
  }
  return FormatNumber(bytes, unit == 0 ? 4 : 3) + std::string(kThinSpace) + std::string(units[unit]);
}

std::string FormatSeconds(double seconds) {
  if (!std::isfinite(seconds)) return std::string(kDash);
  const std::string space{kThinSpace};
  if (seconds >= 3600.0) {
    const auto minutes = static_cast<long>(std::lround(seconds / 60.0));
    return fmt::format("{}{}h {}{}min", minutes / 60, space, minutes % 60, space);
  }
  if (seconds >= 60.0) {
    const auto whole = static_cast<long>(std::lround(seconds));
    return fmt::format("{}{}min {}{}s", whole / 60, space, whole % 60, space);
  }
  if (seconds >= 1.0 || seconds <= 0.0) return FormatNumber(seconds, 3) + space + "s";
  return seconds >= 1e-3 ? FormatNumber(seconds * 1e3, 3) + space + "ms"
                         : FormatNumber(seconds * 1e6, 3) + space + "\xC2\xB5s";
}

std::string PrettyUnit(std::string_view unit) {
  std::string text;
  const auto is_letter = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  };
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  for (std::size_t i = 0; i < unit.size();) {
    std::size_t end = i;
    const bool is_mantissa = i > 1 && (unit[i - 1] == 'e' || unit[i - 1] == 'E') && is_digit(unit[i - 2]);  // 1e3
    if (i > 0 && is_letter(unit[i - 1]) && !is_mantissa) {
      end += unit[i] == '-' || unit[i] == '^' ? 1 : 0;
      end += end > i && end < unit.size() && unit[i] == '^' && unit[end] == '-' ? 1 : 0;
      const std::size_t digits = end;
      while (end < unit.size() && is_digit(unit[end])) ++end;
      // "kW-h" and "H2O" have no powers: a letter follows, or no digit does.
      if (end == digits || (end < unit.size() && is_letter(unit[end]))) end = i;
    }
    // A malformed exponent is kept whole: in "m-1/3" the 3 is not a divisor of the unit.
    std::size_t broken = end;
    if (end > i && end + 1 < unit.size() && unit[end] == '/' && is_digit(unit[end + 1])) {
      broken = end + 1;
      while (broken < unit.size() && is_digit(unit[broken])) ++broken;
    }
    if (broken > end) {
      text += fmt::format("^({})", unit.substr(unit[i] == '^' ? i + 1 : i, broken - i - (unit[i] == '^' ? 1 : 0)));
      i = broken;
    } else if (end > i) {
      text += Superscript(unit.substr(i, end - i));
      i = end;
    } else {
      text += unit[i++];
    }
  }
  return text;
}

}  // namespace openmi
