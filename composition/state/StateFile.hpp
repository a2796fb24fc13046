#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A named part of a state file.
struct StateSection {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Writes sections into a file that is there in whole or not at all: beside, to the disk, renamed, and the folder to
/// the disk too. An earlier file of that name stays until then.
///
/// Form: `OPENMI2S`, then words of 64 bits, low byte first: version, size of the file, number of sections; for each
/// section the length of its name, the length of its bytes, a check sum of both, the name and the bytes; at the end a
/// check sum of everything before.
/// \throws FileError  it cannot be written; an earlier file is as it was
void WriteStateFile(const std::filesystem::path& path, std::span<const StateSection> sections);

/// What WriteStateFile writes, as bytes.
std::vector<std::byte> FormatStateFile(std::span<const StateSection> sections);

/// Reads it back. Nothing in the file is believed before its check sum is right, and no length beyond what is there.
/// \throws FileError    not there, or not readable
/// \throws FormatError  no state file, of another version, cut short, or changed
std::vector<StateSection> ReadStateFile(const std::filesystem::path& path);
/// The same of bytes; `name` is for messages.
std::vector<StateSection> ParseStateFile(std::span<const std::byte> bytes, const std::string& name);

/// The section of that name. \throws FormatError  there is none; `file` is for the message
const StateSection& SectionNamed(std::span<const StateSection> sections, std::string_view name,
                                 const std::string& file);

}  // namespace openmi
