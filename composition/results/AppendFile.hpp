#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "composition/results/FileDescriptor.hpp"

namespace openmi {

/// A file that only grows, by blocks that are there in whole or not at all.
///
/// Blocks go to write(2) at once, so that they outlive the process. Only a block cut by SIGKILL within the call can be
/// there in part, as the last one; whoever reads the file drops it. The file is locked (flock) until it is closed, so
/// that a second writer is refused and nobody takes the file for one left behind.
class AppendFile {
 public:
  enum class Existing { Refuse, Overwrite };

  /// Makes the file. An empty one that is there is taken: a run was ended before it wrote anything.
  /// \throws FileError  it is there already and `existing` refuses that; somebody else writes it; it cannot be made
  AppendFile(std::filesystem::path path, Existing existing);

  /// Opens a file that is there to go on behind its first `size` bytes; what follows is cut off by `CutBack`.
  /// \throws FileError    it is not there; somebody else writes it
  /// \throws FormatError  it is shorter than that
  AppendFile(std::filesystem::path path, std::uint64_t size);
  /// Cuts off what stands behind the bytes that were written, or were to be kept. \throws FileError
  void CutBack();

  /// Appends `block`. Where that fails, the file is cut back to what it held before.
  /// \returns 0, or errno of write(2) for `ThrowFileProblem`
  [[nodiscard]] int Write(std::string_view block);

  /// How many bytes it holds.
  std::uint64_t Size() const { return size_; }
  /// Whether the file is still at its path: else it was removed or moved. What is no ordinary file always is.
  bool IsAtItsPath() const;
  /// Gives the file another path, in the place of what is there. It stays open and locked. \throws FileError
  void MoveTo(std::filesystem::path path);
  /// Hands everything to the disk. \throws FileError  the disk did not take what it had promised to
  void Sync();
  /// Hands everything to the disk and closes the file.
  /// \throws FileError  the disk did not take what it had promised to
  void Close();
  /// Closes the file without waiting for the disk.
  void Drop() { file_.Close(); }
  /// Closes the file and takes it away, where it is one: for a writer that could not even begin.
  void Discard();

  const std::filesystem::path& Path() const { return path_; }
  bool IsOpen() const { return file_.IsOpen(); }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

/// Looks whether a file of the results can take the place of what is at `path`; nothing is changed.
/// \throws FileError  it is a link or no file, it may not be written to, or somebody else writes it
void ExpectReplaceable(const std::filesystem::path& path);

/// Whether there is something at the path that must not be written over unasked: anything but an empty file.
bool IsTaken(const std::filesystem::path& path);

}  // namespace openmi
