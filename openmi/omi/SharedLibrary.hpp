#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/LibraryFile.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// A file as it was at one moment, to see whether it has changed since.
struct FileStamp {
  std::uint64_t size = 0;        ///< bytes
  std::int64_t modified_ns = 0;  ///< nanoseconds since 1970
  std::uint64_t inode = 0;
  std::uint64_t hash = 0;  ///< of the bytes: tells versions apart, proves nothing about who made them
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// A library that was closed and is in memory all the same.
struct PinnedLibrary {
  std::string path;                 ///< the real path it was opened from
  std::vector<std::string> unique;  ///< the unique symbols that keep it; may be empty
  std::string remedy;               ///< what its author can do
};

/// How a library got into memory.
enum class LibraryImage {
  CopyBeside,    ///< from a private copy in its own folder, unlinked since: the usual way
  CopyInMemory,  ///< from a private copy without a name; where its folder cannot be written and it needs no neighbour
  InPlace        ///< from the file itself, which must then not be overwritten (replacing it by a rename is safe)
};

/// A shared library in memory, closed when the last reference goes.
///
/// What is loaded is a private copy: the file may be overwritten or removed at any time, and its next version can be
/// loaded while this one is still in use. The copy lies in the folder of the file, so that neighbours are found through
/// `$ORIGIN`; its name begins with `.openmi-copy-` and is gone as soon as the library is in memory. Where the folder
/// cannot be written, the copy has no name at all, or, if the library has neighbours, the file is loaded in place. The
/// environment variable OPENMI_LOAD_IN_PLACE=1 always loads in place, for debuggers that want to read the file.
/// Neighbours are never copied.
///
/// Not bound to OpenMI: bridges load other people's libraries with it.
class SharedLibrary {
 public:
  /// Called with what is known of the library before any of its code runs; throws to refuse it.
  using Gate = std::function<void(const LibraryFile&)>;

  /// Loads `path` (RTLD_NOW, RTLD_LOCAL).
  /// \param where  whom to name in messages: the OMI file and its line
  /// \throws LoadError  with the system's own sentence and a remedy
  static std::shared_ptr<SharedLibrary> Open(const std::string& path, const Where& where = {}, const Gate& gate = {});

  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// The real path of the file (links resolved).
  const std::string& Path() const { return path_; }
  /// The file as it was when it was loaded.
  const FileStamp& Stamp() const { return stamp_; }
  /// Whether the file is another one now, or gone. Looks at size, time and inode; the content is not read.
  bool HasChanged() const;
  LibraryImage Image() const { return image_; }
  /// What was known before it was loaded.
  const LibraryFile& File() const { return file_; }
  /// The name the system knows the loaded image by; for IsStillLoaded().
  const std::string& ImageName() const { return image_name_; }

  /// The address of an exported symbol, null if this library (not one it is linked with) has none of that name.
  void* Symbol(const char* name) const;
  /// As Symbol, as a pointer to a function.
  template <class Function>
  Function* FunctionNamed(const char* name) const {
    return reinterpret_cast<Function*>(Symbol(name));
  }

  /// Whether the system still has an image of this name. After the last reference is gone it should not.
  static bool IsStillLoaded(const std::string& image_name);
  /// The libraries of this process that stayed in memory though they were closed, in the order they were closed.
  static std::vector<PinnedLibrary> Pinned();

 private:
  SharedLibrary() = default;

  std::string path_;
  FileStamp stamp_;
  LibraryFile file_;
  LibraryImage image_ = LibraryImage::CopyBeside;
  std::string image_name_;
  const void* link_map_ = nullptr;  // the system's own record of the image
  void* handle_ = nullptr;
  bool was_there_ = false;  // loaded in place, and somebody had loaded it before
  int memory_file_ = -1;    // open as long as the image: its name is the number, which must not be given out again
};

}  // namespace openmi
