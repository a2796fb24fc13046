#pragma once

#include <filesystem>

namespace openmi {

/// A private folder for temporary files, which goes with this object: `<TMPDIR>/openmi-XXXXXX/files`.
///
/// A file beside `files` is locked as long as the process lives (flock), so that the system itself lets go of the
/// folder of a process that was killed. The first folder that a process makes is made after those are removed: folders
/// of this user whose lock is free. Anything else in TMPDIR is left alone, links are not followed, and a folder
/// without such a lock file is nobody's of ours.
class TemporaryFolder {
 public:
  /// \throws FileError  none can be made
  TemporaryFolder();
  /// Removes it, unless this is a copy (fork) of the process that made it.
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Absolute; empty at first.
  const std::filesystem::path& Path() const { return files_; }

  /// Removes what processes that are gone left in `base`. \returns how many folders
  static int RemoveAbandoned(const std::filesystem::path& base);

 private:
  std::filesystem::path folder_;
  std::filesystem::path files_;
  int lock_ = -1;
  int owner_;  // the process
};

}  // namespace openmi
