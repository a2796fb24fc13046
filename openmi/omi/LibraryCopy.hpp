#pragma once

#include <sys/stat.h>

#include <string>

#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// What `status` says of a file; the hash stays 0.
FileStamp StampOf(const struct stat& status);
/// Whether size, time and inode agree; the hash is not looked at.
bool SameFile(const FileStamp& a, const FileStamp& b);

/// The private copy of a library: a name under which it can be loaded once. A copy beside the original is removed when
/// this object goes; what was loaded from it stays. Not a public header.
class LibraryCopy {
 public:
  /// Copies `path`, or does not, see LibraryImage.
  /// \param path         a real path
  /// \param uses_origin  whether it looks for neighbours in its own folder, so that a copy must lie there too
  /// \param in_place     whether to load the file itself
  /// \throws LoadError  the file cannot be read, or changed all the time while it was read
  LibraryCopy(const std::string& path, bool uses_origin, bool in_place, const Where& where);
  ~LibraryCopy();
  LibraryCopy(const LibraryCopy&) = delete;
  LibraryCopy& operator=(const LibraryCopy&) = delete;

  /// What to load.
  const std::string& Name() const { return name_; }
  LibraryImage Image() const { return image_; }
  /// The original as it was copied.
  const FileStamp& Stamp() const { return stamp_; }
  /// The open file behind a copy in memory, -1 for none; the caller closes it after the image is gone.
  int ReleaseMemoryFile();

 private:
  bool CopyBeside(const std::string& path, int from);
  bool CopyToMemory(const std::string& path, int from);
  bool CopyStable(int from, int to);

  std::string name_;
  LibraryImage image_ = LibraryImage::InPlace;
  FileStamp stamp_;
  int memory_file_ = -1;
};

}  // namespace openmi
