#pragma once

#include <cstdint>
#include <filesystem>

namespace openmi {

/// Writes all files below `folder`, sorted by name, into a ZIP archive of the kind that FMI and DCP ask for: deflated,
/// no links, no ZIP64. \param seconds  the time that all files bear, since 1970 \throws FileError  the archive cannot
/// be written, or would be larger than its kind can be
void WriteArchive(const std::filesystem::path& folder, const std::filesystem::path& archive, std::int64_t seconds);

}  // namespace openmi
