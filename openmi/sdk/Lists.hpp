#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace openmi {

/// The white space of the C locale, independent of the current locale.
inline constexpr std::string_view kBlanks = " \t\r\n\f\v";
/// What separates words in lists such as "a, b c".
inline constexpr std::string_view kCommasAndBlanks = ", \t\r\n\f\v";

/// Whether `c` is one of kBlanks.
inline constexpr bool IsBlank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

/// `text` without the blanks at both ends.
inline constexpr std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// The parts of `text` between any of the `separators`, without the blanks at their ends. Empty parts are omitted.
inline std::vector<std::string> Split(std::string_view text, std::string_view separators = kBlanks) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view part = Trimmed(text.substr(begin, end - begin));
    if (!part.empty()) parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

/// What is before and after the sign at `place`, such as the '=' of "a = b", without the blanks at the ends.
/// \param place  std::string_view::npos gives two empty texts
inline std::pair<std::string, std::string> PairAt(std::string_view text, std::size_t place) {
  if (place == std::string_view::npos) return {};
  return {std::string(Trimmed(text.substr(0, place))), std::string(Trimmed(text.substr(place + 1)))};
}

/// `text` in small letters. Only letters of ASCII change.
inline std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The number that the whole of `text` is, with a decimal point and without the locale; no value for any other text.
template <class Number>
std::optional<Number> AsNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace openmi
