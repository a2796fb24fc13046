#pragma once

#include <filesystem>
#include <string>

namespace openmi::fmi {

/// A folder as a URI without separator at the end: `file:///a%20b`.
std::string UriOf(const std::filesystem::path& folder);

}  // namespace openmi::fmi
