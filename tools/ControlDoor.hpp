#pragma once

#include <memory>
#include <string>

#include "composition/control/ControlDesk.hpp"
#include "composition/control/ControlServer.hpp"

namespace openmi::tools {

/// The door of a run, open as long as this object is there.
class ControlDoor {
 public:
  /// Opens it and says so on standard error.
  /// \param at  as --control takes it: empty, a path, or tcp:PORT
  /// \throws FileError, FormatError  it cannot be opened there
  ControlDoor(CompositionRun& run, const std::string& at);
  ~ControlDoor();
  ControlDoor(const ControlDoor&) = delete;
  ControlDoor& operator=(const ControlDoor&) = delete;

 private:
  ControlDesk desk_;
  std::unique_ptr<ControlServer> server_;
};

}  // namespace openmi::tools
