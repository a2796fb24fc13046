#pragma once

#include <filesystem>
#include <string>

namespace openmi {

/// The value of an argument that was written in a file, with a relative path made whole.
///
/// \returns the whole path, if `value` is the relative path of a file that exists in `folder`; else `value`
std::string BesideFile(const std::filesystem::path& folder, const std::string& value);

}  // namespace openmi
