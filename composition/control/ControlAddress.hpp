#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace openmi {

/// Where a run listens to its operator: a local socket, or a port of this machine.
struct ControlAddress {
  std::filesystem::path socket;  ///< empty: a port
  std::uint16_t port = 0;        ///< 0 with an empty socket: any free one
  std::string token;             ///< what a client of a port has to know; a socket needs none, its file is the lock

  /// "tcp:PORT" or a path. \throws FormatError  a port that is none
  static ControlAddress Parse(const std::string& text);
  std::string Text() const;
};

/// The folder of this user's run sockets: XDG_RUNTIME_DIR/openmi, else openmi-UID in the folder for temporary files. It
/// is made where it is missing, for this user alone. \throws FileError  it cannot be made, or others can write to it
std::filesystem::path ControlFolder();

/// Whether somebody listens at a socket: a run that was killed leaves its own behind.
bool IsListenedAt(const std::filesystem::path& socket);

/// The sockets in that folder that somebody listens at, sorted by name.
std::vector<std::filesystem::path> ControlSockets();

/// A token that nobody guesses: 128 random bits as hexadecimal digits.
std::string NewControlToken();

}  // namespace openmi
