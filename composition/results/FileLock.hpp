#pragma once

#include <filesystem>

#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

/// A lock between processes. One process at a time holds it.
///
/// The operating system releases it when that process ends in any way, so a lock file that a killed process left is no
/// obstacle.
class FileLock {
 public:
  /// Takes the lock and writes the number of this process into the file.
  /// \throws FileError  another process holds it (named by its number), or the file cannot be created
  explicit FileLock(std::filesystem::path path);
  FileLock(FileLock&&) = default;
  /// Releases the lock and removes the file.
  ~FileLock();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace openmi
