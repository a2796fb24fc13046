#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// Reads a file as one text. \throws FileError  it cannot be read; `wanted` as for `ExpectReadable`
std::string ReadJsonFile(const std::string& path, std::string_view wanted);

/// Refuses JSON that is nested deeper than 100 levels. Printing, copying and destroying a value need stack for each
/// level, so that a deeper one, from a stranger, can end the process.
/// \param path  for the message
/// \throws FormatError  with the line
void ExpectShallowJson(std::string_view text, const std::string& path);

/// The line, from 1 on, of a byte of a text.
int LineAt(std::string_view text, std::size_t byte);

}  // namespace openmi
