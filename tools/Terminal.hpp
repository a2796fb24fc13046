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

/// Text out of a file or a component, as it may stand on a terminal: control characters (C0, DEL, C1) become spaces,
/// bytes that are no UTF-8 become question marks. \param keep_lines  leaves line feeds where they are
std::string Clean(std::string_view text, bool keep_lines = false);

/// Columns of the terminal behind `stream`; 80 where it is none.
int Columns(std::FILE* stream);

/// Prints a line of UTF-8 to `stream`.
void PrintLine(std::FILE* stream, std::string_view text);

}  // namespace openmi::tools
