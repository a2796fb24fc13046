#pragma once

#include <filesystem>
#include <string>

namespace openmi {

/// Finds an archive or an unpacked folder, such as an FMU.
///
/// Returns `beside` if it exists. Else, for a relative `name`, the first one in the folders that are searched for
/// libraries (the folders of OPENMI_PATH, then that of the SDK). Else `beside`, for a message.
/// \param name    as the user wrote it
/// \param beside  the same name, from the folder of the file that contains it
std::filesystem::path FindArchive(const std::filesystem::path& name, const std::filesystem::path& beside);

}  // namespace openmi
