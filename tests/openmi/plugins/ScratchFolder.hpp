#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

/// A folder of its own for a test, removed with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-plugins-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
    std::filesystem::permissions(path_, std::filesystem::perms{0755});
  }
  ~ScratchFolder() {
    std::error_code error;
    std::filesystem::permissions(path_, std::filesystem::perms{0755}, error);
    std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& Path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Copies one of the test plug-ins into the folder. \returns its path there
  std::string Take(const std::string& plugin, const std::string& as = {}) const {
    const std::string to = *this / (as.empty() ? plugin : as);
    std::filesystem::copy_file(std::filesystem::path(OPENMI_TEST_PLUGINS) / plugin, to);
    return to;
  }
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string to = *this / name;
    std::filesystem::create_directories(std::filesystem::path(to).parent_path());
    std::ofstream(to, std::ios::binary) << bytes;
    return to;
  }

 private:
  std::filesystem::path path_;
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
