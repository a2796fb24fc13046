#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace openmi::tools {

enum class Colour { Plain, Red, Green, Yellow, Blue, Grey, Bold };

/// Whether `stream` is a terminal that takes escape sequences.
bool IsTerminal(std::FILE* stream);

/// Whether `stream` is to be coloured: a terminal, no NO_COLOR in the environment (https://no-color.org), TERM not
/// "dumb".
bool WantsColour(std::FILE* stream);

/// `text` in a colour where `stream` is to be coloured, else as it is.
std::string Painted(std::string_view text, Colour colour, std::FILE* stream);

/// Columns of the terminal behind `stream`; 80 where it is none.
int Columns(std::FILE* stream);

/// Prints a line of UTF-8 to `stream`.
void PrintLine(std::FILE* stream, std::string_view text);

}  // namespace openmi::tools
