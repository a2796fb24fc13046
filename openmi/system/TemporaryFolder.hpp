#pragma once

#include <filesystem>

namespace openmi {

/// A private folder for temporary files, removed with this object: `<TMPDIR>/openmi-XXXXXX/files`.
///
/// A file next to `files` is locked (flock) as long as the process lives, so that the system releases the lock when the
/// process is killed. Before a process makes its first folder, it removes folders of this user whose lock is free. It
/// changes nothing else in TMPDIR: it does not follow links, and a folder without such a lock file is not one of ours.
class TemporaryFolder {
 public:
  /// \throws FileError  the folder cannot be made
  TemporaryFolder();
  /// Removes the folder, unless this process is a copy (fork) of the one that made it.
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Absolute; empty at first.
  const std::filesystem::path& Path() const { return files_; }

  /// Removes the folders in `base` that processes left which no longer exist.
  /// \returns the number of folders removed
  static int RemoveAbandoned(const std::filesystem::path& base);

 private:
  std::filesystem::path folder_;
  std::filesystem::path files_;
  int lock_ = -1;
  int owner_;  // the process that made the folder
};

}  // namespace openmi
