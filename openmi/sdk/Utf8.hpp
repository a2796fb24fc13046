#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

/// One character of a text in UTF-8.
struct Utf8Character {
  char32_t code = 0;       ///< U+FFFD where the bytes are no UTF-8
  std::size_t length = 1;  ///< in bytes; 1 where they are none
  bool is_valid = true;
};

/// The character that begins at `position`. Overlong forms, surrogates and values above U+10FFFF are not valid.
/// \pre  position < text.size()
/// Source: The Unicode Standard 15.0, table 3-7.
Utf8Character NextUtf8(std::string_view text, std::size_t position);

/// Position of the first byte that is not UTF-8, or npos.
std::size_t FindInvalidUtf8(std::string_view text);

/// Text of others made fit for a terminal: control characters (C0, DEL, C1) become blanks, bytes that are no UTF-8 a
/// question mark each.
/// \param keep_lines  line feeds stay
std::string PrintableText(std::string_view text, bool keep_lines = false);

}  // namespace openmi
