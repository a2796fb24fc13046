#pragma once

#include <filesystem>
#include <string>

namespace openmi {

/// The value of an argument as it was written in a file: where it is the relative path of a file beside that one, its
/// whole path; else the value itself.
std::string BesideFile(const std::filesystem::path& folder, const std::string& value);

}  // namespace openmi
