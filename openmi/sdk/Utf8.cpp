#include "openmi/sdk/Utf8.hpp"

namespace openmi {

Utf8Character NextUtf8(std::string_view text, std::size_t position) {
  constexpr Utf8Character kInvalid{0xFFFD, 1, false};
  const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(text[position + offset]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || position + length > text.size()) return kInvalid;
  char32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return kInvalid;
    code = (code << 6u) | (byte(i) & 0x3Fu);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return kInvalid;
  return {code, length, true};
}

std::size_t FindInvalidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = NextUtf8(text, i);
    if (!character.is_valid) return i;
    i += character.length;
  }
  return std::string_view::npos;
}

std::string PrintableText(std::string_view text, bool keep_lines) {
  std::string printable;
  printable.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = NextUtf8(text, i);
    const char32_t code = character.code;
    const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    if (!character.is_valid) {
      printable += '?';
    } else if (is_control && !(keep_lines && code == '\n')) {
      printable += ' ';
    } else {
      printable += text.substr(i, character.length);
    }
    i += character.length;
  }
  return printable;
}

}  // namespace openmi
