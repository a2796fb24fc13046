#pragma once

#include <filesystem>
#include <string>

namespace openmi {

/// An archive or unpacked folder, such as an FMU: `beside` if it is there; else, for a relative `name`, the first that
/// lies where libraries are looked for (the folders of OPENMI_PATH, then where the SDK put its own); else `beside`, for
/// a message. \param name    as it was written \param beside  the same, from the folder of the file that it was written
/// in
std::filesystem::path FindArchive(const std::filesystem::path& name, const std::filesystem::path& beside);

}  // namespace openmi
