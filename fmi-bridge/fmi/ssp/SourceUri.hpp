#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace openmi::ssp {

/// Finds the file that a source in a package names.
/// \param root  folder of the package, canonical
/// \param base  the folder of the file that contains the source
/// \param uri   relative, with `%XX` for special characters
/// \returns the canonical path
/// \throws FormatError  a scheme such as http: or file:, a server, an absolute path, a path that leaves the package (by
///   names or by links), or a wrong `%XX`
/// \throws FileError    there is no such file
std::filesystem::path FileInside(const std::filesystem::path& root, const std::filesystem::path& base,
                                 std::string_view uri);

}  // namespace openmi::ssp
