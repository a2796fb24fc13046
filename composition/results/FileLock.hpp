#pragma once

#include <filesystem>

#include "composition/results/FileDescriptor.hpp"

namespace openmi {

/// A lock between processes: held by one at a time, and let go by the operating system when that one ends, however it
/// ends. A lock file left behind by a process that was killed is therefore no obstacle.
class FileLock {
 public:
  /// Takes the lock and writes the number of this process into the file.
  /// \throws FileError  another process holds it (named by its number), or the file cannot be made
  explicit FileLock(std::filesystem::path path);
  FileLock(FileLock&&) = default;
  /// Lets go and removes the file.
  ~FileLock();

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace openmi
