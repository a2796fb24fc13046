#include "bmi-bridge/component/WorkingDirectory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "openmi/sdk/Error.hpp"

namespace openmi::bmi {
namespace {

std::recursive_mutex& Turn() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

WorkingDirectory::WorkingDirectory(std::string* left, const std::string& folder) : left_(left) {
  if (folder.empty()) return;
  lock_ = std::unique_lock(Turn());
  before_ = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (chdir(folder.c_str()) == 0) return;
  const std::string reason = std::strerror(errno);
  if (before_ >= 0) close(before_);
  throw FileError({.file = folder}, "expected a folder to work in, found: " + reason,
                  "make it, or correct the argument 'working-directory'");
}

WorkingDirectory::~WorkingDirectory() {
  if (before_ < 0) return;
  if (left_ != nullptr) {
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    if (!error) *left_ = here.string();
  }
  if (fchdir(before_) != 0) {  // the folder was removed: relative paths will fail later
  }
  close(before_);
}

}  // namespace openmi::bmi
