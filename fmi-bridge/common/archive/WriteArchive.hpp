#pragma once

#include <cstdint>
#include <filesystem>

namespace openmi {

/// Writes all files in `folder`, sorted by name, into a ZIP archive as FMI and DCP require: deflated, no links, no
/// ZIP64.
/// \param seconds  time stamp of all files, in seconds since 1970
/// \throws FileError  the archive cannot be written, or is too large for a ZIP file without ZIP64
void WriteArchive(const std::filesystem::path& folder, const std::filesystem::path& archive, std::int64_t seconds);

}  // namespace openmi
