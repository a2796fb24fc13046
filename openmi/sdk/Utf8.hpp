#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

/// One character of a UTF-8 text.
struct Utf8Character {
  char32_t code = 0;       ///< U+FFFD when the bytes are not UTF-8
  std::size_t length = 1;  ///< in bytes; 1 when the bytes are not UTF-8
  bool is_valid = true;
};

/// The character that starts at `position`. Overlong forms, surrogates and values above U+10FFFF are not valid.
/// \pre  position < text.size()
///
/// Source: The Unicode Standard 15.0, table 3-7.
Utf8Character NextUtf8(std::string_view text, std::size_t position);

/// The position of the first byte that is not UTF-8, or npos.
std::size_t FindInvalidUtf8(std::string_view text);

/// Text from an untrusted source, made safe for a terminal.
///
/// Control characters (C0, DEL, C1) become blanks. Each byte that is not UTF-8 becomes a question mark.
/// \param keep_lines  whether line feeds stay
std::string PrintableText(std::string_view text, bool keep_lines = false);

}  // namespace openmi
