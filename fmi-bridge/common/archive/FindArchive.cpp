#include "fmi-bridge/common/archive/FindArchive.hpp"

#include <system_error>

#include "openmi/omi/LibrarySearch.hpp"

namespace openmi {

namespace fs = std::filesystem;

fs::path FindArchive(const fs::path& name, const fs::path& beside) {
  std::error_code error;
  if (name.empty() || name.is_absolute() || fs::exists(beside, error)) return beside;
  // The first folder is that of the file, where `beside` was searched.
  const std::vector<std::string> folders = LibrarySearch::Folders(beside.string());
  for (std::size_t i = 1; i < folders.size(); ++i) {
    const fs::path path = fs::path(folders[i]) / name;
    if (fs::exists(path, error)) return path;
  }
  return beside;
}

}  // namespace openmi
