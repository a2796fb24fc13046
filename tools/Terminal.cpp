#include "tools/Terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace openmi::tools {
namespace {

const char* Sequence(Colour colour) {
  switch (colour) {
    case Colour::Red:
      return "\x1b[31m";
    case Colour::Green:
      return "\x1b[32m";
    case Colour::Yellow:
      return "\x1b[33m";
    case Colour::Blue:
      return "\x1b[34m";
    case Colour::Grey:
      return "\x1b[90m";
    case Colour::Bold:
      return "\x1b[1m";
    case Colour::Plain:
      break;
  }
  return "";
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::strcmp(term, "dumb") == 0;
}

// Bytes of the UTF-8 character that `text` begins with; 0 where it is none.
std::size_t CharacterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (length == 3 && lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (length == 3 && lead == 0xED && byte(1) > 0x9F) return 0;  // a surrogate
  if (length == 4 && lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (length == 4 && lead == 0xF4 && byte(1) > 0x8F) return 0;  // beyond Unicode
  return length;
}

}  // namespace

bool IsTerminal(std::FILE* stream) {
  return isatty(fileno(stream)) == 1 && !IsDumb();
}

bool WantsColour(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  return IsTerminal(stream) && (no_colour == nullptr || *no_colour == '\0');
}

std::string Painted(std::string_view text, Colour colour, std::FILE* stream) {
  if (colour == Colour::Plain || !WantsColour(stream)) return std::string(text);
  return std::string(Sequence(colour)).append(text).append("\x1b[0m");
}

std::string Clean(std::string_view text, bool keep_lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = CharacterLength(text);
    const auto first = static_cast<unsigned char>(text[0]);
    const bool is_c1 = length == 2 && first == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    if (length == 0) {
      clean += '?';
    } else if (is_c1 || (length == 1 && (first < 0x20 || first == 0x7F) && !(keep_lines && first == '\n'))) {
      clean += ' ';
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

int Columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void PrintLine(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fputc('\n', stream);
}

}  // namespace openmi::tools
