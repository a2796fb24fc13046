#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/support/Environment.hpp"
#include "tests/support/ScratchFolder.hpp"

/// A folder for a test that takes plug-ins there.
class PluginFolder : public ScratchFolder {
 public:
  PluginFolder() : ScratchFolder("plugins") { std::filesystem::permissions(Path(), std::filesystem::perms{0755}); }

  /// Copies one of the test plug-ins into the folder. \returns its path there
  std::string Take(const std::string& plugin, const std::string& as = {}) const {
    const std::string to = *this / (as.empty() ? plugin : as);
    std::filesystem::copy_file(std::filesystem::path(OPENMI_TEST_PLUGINS) / plugin, to);
    return to;
  }
};

inline std::string BytesOf(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

inline std::string PluginPath(const std::string& name) {
  return (std::filesystem::path(OPENMI_TEST_PLUGINS) / name).string();
}
