#include "openmi/system/TemporaryFolder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

namespace fs = std::filesystem;

namespace {

constexpr char kPrefix[] = "openmi-";
constexpr char kLock[] = ".openmi-lock";
constexpr char kFiles[] = "files";

[[noreturn]] void Refuse(const std::string& name, const std::string& found) {
  throw FileError({.file = name}, fmt::format("expected to make a private folder, found: {}", found),
                  "name a folder in TMPDIR where files may be written");
}

/// Takes the lock in a folder.
/// \returns the open file; -1: it does not exist, belongs to another user, or is locked
int TakeLock(int folder, int how) {
  const int lock = openat(folder, kLock, how | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock < 0) return -1;
  struct stat status {};
  if (fstat(lock, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      flock(lock, LOCK_EX | LOCK_NB) == 0) {
    return lock;
  }
  close(lock);
  return -1;
}

/// Removes a folder without a living owner.
/// \returns whether it did
bool RemoveIfAbandoned(const fs::path& path) {
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return false;
  bool is_removed = false;
  struct stat status {};
  const bool is_ours = fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 0077) == 0;
  if (const int lock = is_ours ? TakeLock(folder, 0) : -1; lock >= 0) {
    // Through the open folder, so that a name that was exchanged meanwhile cannot lead elsewhere.
    std::error_code problem;
    fs::remove_all(fs::path("/proc/self/fd") / std::to_string(folder) / kFiles, problem);
    is_removed = !problem && unlinkat(folder, kLock, 0) == 0 && rmdir(path.c_str()) == 0;
    close(lock);
  }
  close(folder);
  return is_removed;
}

}  // namespace

int TemporaryFolder::RemoveAbandoned(const fs::path& base) {
  constexpr int kMostLookedAt = 100'000;
  std::vector<fs::path> found;
  std::error_code problem;
  int looked_at = 0;
  for (fs::directory_iterator entry(base, problem), end; !problem && entry != end && looked_at < kMostLookedAt;
       entry.increment(problem), ++looked_at) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.size() == std::strlen(kPrefix) + 6) found.push_back(entry->path());
  }
  int removed = 0;
  for (const fs::path& path : found) removed += RemoveIfAbandoned(path) ? 1 : 0;
  return removed;
}

TemporaryFolder::TemporaryFolder() : owner_(getpid()) {
  std::error_code problem;
  const fs::path base = fs::temp_directory_path(problem);
  if (problem) Refuse(base.string(), problem.message());
  static std::once_flag once;
  std::call_once(once, [&base] { RemoveAbandoned(base); });
  constexpr int kTries = 100;
  for (int left = kTries; left > 0; --left) {
    std::string name = fs::absolute(base / (std::string(kPrefix) + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) Refuse(name, std::strerror(errno));
    folder_ = name;
    const int folder = open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
      lock_ = TakeLock(folder, O_CREAT);
      // Another process may have found the file before it was locked, and removed it.
      struct stat by_name {};
      struct stat by_number {};
      const bool is_there = lock_ >= 0 && fstatat(folder, kLock, &by_name, AT_SYMLINK_NOFOLLOW) == 0 &&
                            fstat(lock_, &by_number) == 0 && by_name.st_ino == by_number.st_ino;
      const bool is_made = is_there && mkdirat(folder, kFiles, 0700) == 0;
      const int error = errno;
      close(folder);
      if (is_made) {
        files_ = folder_ / kFiles;
        return;
      }
      if (lock_ >= 0) close(lock_);
      lock_ = -1;
      if (is_there) Refuse(name, std::strerror(error));
    }
    fs::remove_all(folder_, problem);
  }
  Refuse(folder_.string(), "that its lock could not be taken");
}

TemporaryFolder::~TemporaryFolder() {
  if (owner_ == getpid()) {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  close(lock_);
}

}  // namespace openmi
