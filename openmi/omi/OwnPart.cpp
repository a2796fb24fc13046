#include "openmi/omi/OwnPart.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "openmi/omi/LibrarySearch.hpp"

namespace openmi {

OwnPart FindOwnPart(std::string_view file, const char* symbol, std::string_view bridge, std::string_view version) {
  std::string option(bridge);
  std::ranges::transform(option, option.begin(), [](unsigned char sign) { return std::toupper(sign); });
  OwnPart part;
  part.found = "found none";
  part.remedy = fmt::format("install the package openmi2-{}, or build with OPENMI_WITH_{}=ON", bridge, option);
  for (const std::string& folder : LibrarySearch::OwnFolders()) {
    const std::filesystem::path path = std::filesystem::path(folder) / file;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    part.is_installed = true;
    part.remedy = fmt::format("install version {} of the package openmi2-{}", version, bridge);
    // Never closed: what it offers may be used until the program ends.
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      part.found = fmt::format("found one that cannot be loaded ({})", dlerror());
      return part;
    }
    const void* const object = dlsym(library, symbol);
    const char* const its = object == nullptr ? "unknown" : *static_cast<const char* const*>(object);
    if (object != nullptr && its == version) {
      part.object = object;
    } else {
      part.found = fmt::format("found version {} in '{}'", its, path.string());
    }
    return part;
  }
  return part;
}

}  // namespace openmi
