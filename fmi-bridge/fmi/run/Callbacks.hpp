#pragma once

#include <filesystem>
#include <string>

namespace openmi::fmi {

/// "file:///a%20b": a folder as a URI, without separator at the end.
std::string UriOf(const std::filesystem::path& folder);

}  // namespace openmi::fmi
