#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

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

/// Sets an environment variable (or takes it away, with null) as long as it lives.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name); old != nullptr) {
      had_ = true;
      old_ = old;
    }
    Set(value);
  }
  ~Environment() { Set(had_ ? old_.c_str() : nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  void Set(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }
  const char* name_;
  bool had_ = false;
  std::string old_;
};
