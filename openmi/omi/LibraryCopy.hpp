#pragma once

#include <cstdint>
#include <string>

#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// The hash that the stamp of a library has, of the file as it is now.
/// \throws LoadError  at `where`: the file cannot be read
std::uint64_t HashOfLibrary(const std::string& path, const Where& where);

/// The private copy of a library: a name under which the library can be loaded once.
///
/// The destructor removes a copy beside the original; the library loaded from it stays in memory. Not a public header.
class LibraryCopy {
 public:
  /// Copies `path`, or decides to load it in place; see LibraryImage.
  /// \param path         a real path
  /// \param uses_origin  whether the library looks for neighbours in its own folder, so that a copy must lie there too
  /// \param in_place     whether to load the file itself
  /// \throws LoadError  the file cannot be read, or keeps changing while it is read
  LibraryCopy(const std::string& path, bool uses_origin, bool in_place, const Where& where);
  ~LibraryCopy();
  LibraryCopy(const LibraryCopy&) = delete;
  LibraryCopy& operator=(const LibraryCopy&) = delete;

  /// The name to load.
  const std::string& Name() const { return name_; }
  LibraryImage Image() const { return image_; }
  /// The original at the time of the copy.
  const FileStamp& Stamp() const { return stamp_; }
  /// The open file of a copy in memory, or -1. The caller closes it after the image is unloaded.
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
