#include "composition/link/BesideFile.hpp"

namespace openmi {

std::string BesideFile(const std::filesystem::path& folder, const std::string& value) {
  constexpr std::size_t kLongestPath = 1024;  // longer values, and those with several lines, are texts
  const std::filesystem::path path(value);
  if (value.empty() || value.size() > kLongestPath || path.is_absolute() || value.find('\n') != std::string::npos) {
    return value;
  }
  std::error_code error;
  const std::filesystem::path here = folder / path;
  return std::filesystem::is_regular_file(here, error)
             ? std::filesystem::absolute(here, error).lexically_normal().string()
             : value;
}

}  // namespace openmi
