#pragma once

#include <filesystem>
#include <string_view>

#include "studio/server/WebServer.hpp"

namespace openmi {

/// A file of the page: the page, its style and its scripts, which the build embeds.
/// \returns false: there is none of that path
bool StudioFile(std::string_view path, WebContent& content);

/// A file in the folder of the composition, such as results and reports, of at most 256 MB. Pages among them are kept
/// apart from ours.
/// \returns false: it cannot be read
bool ForeignFile(const std::filesystem::path& file, WebContent& content);

}  // namespace openmi
