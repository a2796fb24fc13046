#pragma once

#include <string_view>

namespace openmi {

/// The white space of the C locale, independent of the current locale.
inline constexpr std::string_view kBlanks = " \t\r\n\f\v";

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

}  // namespace openmi
