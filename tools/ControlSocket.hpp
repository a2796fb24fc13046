#pragma once

#include <memory>
#include <string>

#include "composition/control/ControlDesk.hpp"
#include "composition/control/ControlServer.hpp"

namespace openmi::tools {

/// The control socket of a run; open during the life of this object.
class ControlSocket {
 public:
  /// Opens the socket and reports it on standard error.
  /// \param run  borrowed
  /// \param at  the value of --control: empty, a path, or tcp:PORT
  /// \throws FileError  the socket cannot be opened
  /// \throws FormatError  `at` cannot be read
  ControlSocket(CompositionRun& run, const std::string& at);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

 private:
  ControlDesk desk_;
  std::unique_ptr<ControlServer> server_;
};

}  // namespace openmi::tools
