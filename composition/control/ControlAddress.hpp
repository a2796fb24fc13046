#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace openmi {

/// The address at which a run listens to its operator: a local socket, or a port of this machine.
struct ControlAddress {
  std::filesystem::path socket;  ///< empty: a port is used
  std::uint16_t port = 0;        ///< 0 with an empty `socket`: any free port
  std::string token;             ///< clients of a port have to know it; a socket is protected by its folder

  /// Reads "tcp:PORT" or a path.
  /// \throws FormatError  the port is invalid
  static ControlAddress Parse(const std::string& text);
  /// The address as Parse reads it.
  std::string Text() const;
};

/// The folder of this user's run sockets: XDG_RUNTIME_DIR/openmi, else openmi-UID in the folder for temporary files. It
/// is created if it is missing, with access for this user only.
/// \throws FileError  it cannot be created, or others can write to it
std::filesystem::path ControlFolder();

/// Whether a run listens at a socket. A run that was killed leaves its socket file.
bool IsListenedAt(const std::filesystem::path& socket);

/// The sockets in ControlFolder() at which a run listens, sorted by name.
std::vector<std::filesystem::path> ControlSockets();

/// A token that cannot be guessed: 128 random bits as hexadecimal digits.
std::string NewControlToken();

}  // namespace openmi
