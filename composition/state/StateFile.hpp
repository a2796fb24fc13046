#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/standard/Value.hpp"

namespace openmi {

/// A named part of a state file.
struct StateSection {
  std::string name;
  Bytes bytes;
};

/// Writes sections into a file so that the file is complete or absent. It writes beside the path, syncs to the disk,
/// renames, and syncs the folder. An earlier file of that name stays until the rename.
///
/// Format: `OPENMI2S`, then words of 64 bits, low byte first: version, size of the file, number of sections. For each
/// section: the length of its name, the length of its bytes, a check sum of both, the name and the bytes. At the end: a
/// check sum of everything before.
/// \throws FileError  it cannot be written; an earlier file is unchanged
void WriteStateFile(const std::filesystem::path& path, std::span<const StateSection> sections);

/// The content of a state file, as WriteStateFile writes it.
Bytes FormatStateFile(std::span<const StateSection> sections);

/// Reads a state file. It uses nothing from the file before the check sum is verified, and no length beyond the end of
/// the file.
/// \throws FileError    the file does not exist, or cannot be read
/// \throws FormatError  it is no state file, has another version, or was cut short or changed
std::vector<StateSection> ReadStateFile(const std::filesystem::path& path);
/// Reads the content of a state file.
/// \param name  for messages
/// \throws FormatError  see ReadStateFile
std::vector<StateSection> ParseStateFile(ByteView bytes, const std::string& name);

/// The section of that name.
/// \param file  for the message
/// \throws FormatError  there is none
const StateSection& SectionNamed(std::span<const StateSection> sections, std::string_view name,
                                 const std::string& file);

}  // namespace openmi
