#pragma once

#include <string>

namespace openmi {

/// A component whose arguments name files.
///
/// Relative names are relative to the folder of the OMI file or composition that sets them, not to the working
/// directory of the program. Code that sets arguments from a file first calls `SetFileRoot` with the folder of that
/// file. The base classes of the SDK implement this interface. A component without it receives its arguments unchanged.
class IFileRoot {
 public:
  virtual ~IFileRoot() = default;
  /// Sets the folder for relative file names.
  /// \param folder  empty: the working directory
  virtual void SetFileRoot(const std::string& folder) = 0;
};

}  // namespace openmi
