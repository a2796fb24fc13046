#include "tools/Terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "openmi/sdk/EnumNames.hpp"

namespace openmi::tools {
namespace {

constexpr EnumNames<Colour> kSequences{"", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[90m", "\x1b[1m"};

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::strcmp(term, "dumb") == 0;
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
  return std::string(kSequences.NameOf(colour)).append(text).append("\x1b[0m");
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
