#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace openmi::tools {

enum class Colour { Plain, Red, Green, Yellow, Blue, Grey, Bold };

/// Whether `stream` is a terminal that accepts escape sequences.
bool IsTerminal(std::FILE* stream);

/// Whether text on `stream` should be coloured: it is a terminal, NO_COLOR is not set (https://no-color.org), and TERM
/// is not "dumb".
bool WantsColour(std::FILE* stream);

/// `text` in a colour, or unchanged if `stream` should not be coloured.
std::string Painted(std::string_view text, Colour colour, std::FILE* stream);

/// The width of the terminal of `stream` in columns; 80 if it is no terminal.
int Columns(std::FILE* stream);

/// Prints a line of UTF-8 to `stream`.
void PrintLine(std::FILE* stream, std::string_view text);

}  // namespace openmi::tools
