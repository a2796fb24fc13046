#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace openmi::ssp {

/// The file that a source of a package names.
/// \param root  of the package, canonical
/// \param base  the folder of the file that holds the source
/// \param uri   relative, with %XX for odd characters
/// \returns     canonical
/// \throws FormatError  a scheme such as http: or file:, a server, an absolute path, a way out of the package (by names
///                      or by links), or a wrong %XX
/// \throws FileError    there is no such file
std::filesystem::path FileInside(const std::filesystem::path& root, const std::filesystem::path& base,
                                 std::string_view uri);

}  // namespace openmi::ssp
