#pragma once

#include <memory>
#include <string>

#include "fmi-bridge/archive/TemporaryFolder.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// What was named as a composition: itself, or what a system structure (.ssp, .ssd) becomes, written into a private
/// folder that goes with this object.
class AsComposition {
 public:
  /// \param problems  gets those of the system structure
  /// \throws FileError, FormatError  it cannot be read at all
  AsComposition(const std::string& path, Problems& problems);
  ~AsComposition();
  AsComposition(const AsComposition&) = delete;
  AsComposition& operator=(const AsComposition&) = delete;
  const std::string& Path() const { return path_; }

 private:
  std::string path_;
  std::unique_ptr<TemporaryFolder> folder_;  // null: nothing was written
  std::shared_ptr<const void> package_;
};

}  // namespace openmi::tools
