#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/LibraryFile.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// A file at one moment, to detect later changes.
struct FileStamp {
  std::uint64_t size = 0;        ///< bytes
  std::int64_t modified_ns = 0;  ///< nanoseconds since 1970
  std::uint64_t inode = 0;
  std::uint64_t hash = 0;  ///< of the bytes: distinguishes versions; does not prove the origin of the file
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// A library that was closed and is still in memory.
struct PinnedLibrary {
  std::string path;                 ///< the real path it was opened from
  std::vector<std::string> unique;  ///< the unique symbols that keep it in memory; may be empty
  std::string remedy;               ///< what the author of the library can do
};

/// How a library was loaded into memory.
enum class LibraryImage {
  CopyBeside,    ///< from a private copy in its own folder, unlinked since: the usual way
  CopyInMemory,  ///< from a private copy without a name; when its folder is not writable and it needs no neighbour
  InPlace        ///< from the file itself, which must not be overwritten then (replacing it by a rename is safe)
};

/// A shared library in memory, closed when the last reference is released.
///
/// The class loads a private copy. The file may be overwritten or removed at any time, and its next version can be
/// loaded while this one is still in use. The copy lies in the folder of the file, so that neighbours are found through
/// `$ORIGIN`. Its name starts with `.openmi-copy-`, and it is unlinked as soon as the library is in memory.
///
/// When the folder is not writable, the copy has no name at all. If the library also has neighbours, the file is loaded
/// in place. The environment variable OPENMI_LOAD_IN_PLACE=1 always loads in place, for debuggers that read the file.
/// Neighbours are never copied.
///
/// Independent of OpenMI: bridges also load third-party libraries with it.
class SharedLibrary {
 public:
  /// Receives the properties of the library before any of its code runs. Throws to refuse the library.
  using Gate = std::function<void(const LibraryFile&)>;

  /// Loads `path` (RTLD_NOW, RTLD_LOCAL).
  /// \param where  the place for messages: the OMI file and its line
  /// \param gate   may be empty
  /// \throws LoadError  the file cannot be loaded; with the sentence of the system and a remedy
  static std::shared_ptr<SharedLibrary> Open(const std::string& path, const Where& where = {}, const Gate& gate = {});

  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// The real path of the file (links resolved).
  const std::string& Path() const { return path_; }
  /// The file at the time when it was loaded.
  const FileStamp& Stamp() const { return stamp_; }
  /// How the library was loaded.
  LibraryImage Image() const { return image_; }
  /// The properties that were read before loading.
  const LibraryFile& File() const { return file_; }
  /// The name of the loaded image in the system, for `IsStillLoaded()`.
  const std::string& ImageName() const { return image_name_; }

  /// The address of an exported symbol; null when this library has no such symbol. Libraries that it is linked with are
  /// ignored.
  void* Symbol(const char* name) const;
  /// As `Symbol`, as a pointer to a function.
  template <class Function>
  Function* FunctionNamed(const char* name) const {
    return reinterpret_cast<Function*>(Symbol(name));
  }

  /// Whether the system still has an image with this name. After the last reference is released it should not.
  static bool IsStillLoaded(const std::string& image_name);
  /// The libraries of this process that stayed in memory after they were closed, in the order of closing.
  static std::vector<PinnedLibrary> Pinned();

 protected:
  /// For what is used as a library and is no image of its own (Script).
  SharedLibrary(std::string path, LibraryFile file, FileStamp stamp)
      : path_(std::move(path)), stamp_(stamp), file_(std::move(file)) {}

 private:
  SharedLibrary() = default;

  std::string path_;
  FileStamp stamp_;
  LibraryFile file_;
  LibraryImage image_ = LibraryImage::CopyBeside;
  std::string image_name_;
  const void* link_map_ = nullptr;  // the system's record of the image
  void* handle_ = nullptr;
  bool was_there_ = false;  // loaded in place when other code had already loaded it
  int memory_file_ = -1;    // open as long as the image: its number is the image's name, which must not be reused
};

}  // namespace openmi
