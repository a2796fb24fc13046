#pragma once

#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {

/// Finds the library that the Assembly of an OMI file names.
///
/// Names: `reservoir` means `libreservoir.so`, `reservoir.so` or a file `reservoir`, in this order; a name that ends in
/// `.so` (or `.so.1`) is tried as it stands first, then with `lib` before it; `.dll` and `.exe` are cut off.
/// Backslashes are slashes. Folders written before the name stay before it.
///
/// Places, the first hit wins:
///  1. an absolute name: there and nowhere else. (One with a Windows drive can only be meant by its last part, and goes
///     on with that.)
///  2. the folder of the OMI file; without an OMI file the working directory;
///  3. the folders of the environment variable OPENMI_PATH, separated by colons;
///  4. where the SDK put its own: `openmi2` beside libopenmi_core, and `../lib/openmi2` from there.
class LibrarySearch {
 public:
  /// Finds `assembly`.
  /// \param omi_path  the OMI file; may be empty
  /// \param line      the line in it; 0 if unknown
  /// \returns the path of a file that exists (not yet known to be a library)
  /// \throws LoadError  nothing found: the places searched, the names tried and the nearest names there
  std::string Find(const std::string& assembly, const std::string& omi_path = {}, int line = 0) const;

  /// The file names that `assembly` may mean, in order, folders left in front.
  static std::vector<std::string> Names(const std::string& assembly);
  /// The folders that are searched for an OMI file at `omi_path`, in order; those that do not exist are there too.
  static std::vector<std::string> Folders(const std::string& omi_path);
  /// Every component library found in the folders, sorted by folder and name; for listings.
  static std::vector<std::string> Libraries(const std::string& omi_path = {});
};

}  // namespace openmi
