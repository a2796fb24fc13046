#pragma once

#include <string>

namespace openmi {

/// A component that reads files named by its arguments.
///
/// Relative names mean files beside the OMI file (or the composition) that sets them, wherever the program was started.
/// Whoever sets arguments from a file tells the component the folder of that file first. The base classes of the SDK
/// implement this; a component without it gets its arguments as they stand.
class IFileRoot {
 public:
  virtual ~IFileRoot() = default;
  /// \param folder  the folder that relative file names stand against; empty: the working directory
  virtual void SetFileRoot(const std::string& folder) = 0;
};

}  // namespace openmi
