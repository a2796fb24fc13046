#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

/// A file that only grows, in blocks that it contains completely or not at all.
///
/// Blocks are passed to write(2) at once, so that they outlive the process. Only the last block can be incomplete, if
/// SIGKILL interrupts the call; readers of the file drop it. The file is locked (flock) until it is closed, so that a
/// second writer is refused and no process treats the file as one of a killed run.
class AppendFile {
 public:
  enum class Existing { Refuse, Overwrite };

  /// Creates the file. An existing empty file is accepted: an earlier run ended before it wrote anything.
  /// \throws FileError  the file exists and `existing` refuses that, another process writes it, or it cannot be created
  AppendFile(std::filesystem::path path, Existing existing);

  /// Opens an existing file to continue after its first `size` bytes; `CutBack` removes what follows them.
  /// \throws FileError    the file does not exist, or another process writes it
  /// \throws FormatError  the file is shorter than that
  AppendFile(std::filesystem::path path, std::uint64_t size);
  /// Removes everything after the bytes that were written or are to be kept.
  /// \throws FileError  the file cannot be cut
  void CutBack();
  /// Keeps the first `size` bytes alone, for one who read the file after it was locked.
  /// \throws FileError  the file cannot be cut
  void CutBack(std::uint64_t size);

  /// Appends `block`. If that fails, the file is cut back to its previous content.
  /// \returns 0, or errno of write(2) for `ThrowFileProblem`
  [[nodiscard]] int Write(std::string_view block);

  /// The size of the file in bytes.
  std::uint64_t Size() const { return size_; }
  /// Whether the file is still at its path, and was not removed or moved. Always true for a file that is not a regular
  /// one.
  bool IsAtItsPath() const;
  /// Moves the file to another path and replaces what is there. It stays open and locked.
  /// \throws FileError  the file cannot be moved
  void MoveTo(std::filesystem::path path);
  /// Passes everything to the disk.
  /// \throws FileError  the disk failed to store data that it had accepted
  void Sync();
  /// Passes everything to the disk and closes the file.
  /// \throws FileError  the disk failed to store data that it had accepted
  void Close();
  /// Closes the file without waiting for the disk.
  void Drop() { file_.Close(); }
  /// Closes the file and removes it if it is a regular one: for a writer that could not start.
  void Discard();

  const std::filesystem::path& Path() const { return path_; }
  bool IsOpen() const { return file_.IsOpen(); }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

/// Checks whether a results file can replace what is at `path`; changes nothing.
/// \throws FileError  `path` is a link or not a regular file, is not writable, or another process writes it
void ExpectReplaceable(const std::filesystem::path& path);

/// Whether something is at the path that must not be overwritten without consent: anything but an empty file.
bool IsTaken(const std::filesystem::path& path);

}  // namespace openmi
