#pragma once

#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// Finds the library that the Assembly of an OMI file names.
///
/// Names: `reservoir` means `libreservoir.so`, `reservoir.so` or a file `reservoir`, in this order. A name that ends in
/// `.so` (or `.so.1`) is tried unchanged first, then with `lib` before it. The endings `.dll` and `.exe` are removed.
/// Backslashes count as slashes. Folders in the name stay before it. The name of a script (`tank.py`) is tried as it
/// is; that of a module (`python:heat`) is returned as it is.
///
/// Places; the first match is used:
/// 1. An absolute name: only there. Of an absolute name with a Windows drive only the last part is used, in the places
///    below.
/// 2. The folder of the OMI file; without an OMI file the working directory.
/// 3. The folders of the environment variable OPENMI_PATH, separated by colons.
/// 4. The folders of the SDK's own libraries: `openmi2` beside libopenmi_core, and `../lib/openmi2` from there.
class LibrarySearch {
 public:
  /// Finds `assembly`.
  /// \param omi_path  the OMI file; may be empty
  /// \param line      the line in the OMI file; 0 if unknown
  /// \returns the path of an existing file (not yet known to be a library)
  /// \throws LoadError  nothing is found; the message lists the searched places, the tried names and the nearest names
  ///   there
  std::string Find(const std::string& assembly, const std::string& omi_path = {}, int line = 0) const;

  /// The file names that `assembly` may mean, in order, with its folders.
  static std::vector<std::string> Names(const std::string& assembly);
  /// The folders that are searched for an OMI file at `omi_path`, in order. Folders that do not exist are included.
  static std::vector<std::string> Folders(const std::string& omi_path);
  /// The folders of the SDK's own libraries, those of 4. above.
  static std::vector<std::string> OwnFolders();
  /// All component libraries in the folders, sorted by folder and name; for listings.
  static std::vector<std::string> Libraries(const std::string& omi_path = {});
};

}  // namespace openmi
