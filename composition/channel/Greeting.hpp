#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

/// The version of the protocol between a program and its workers. It increases with every change of the section "The
/// protocol" in docs/isolation.md.
inline constexpr unsigned kWorkerProtocol = 7;

/// The size of a greeting, bytes; zeros follow its text.
inline constexpr std::size_t kGreetingSize = 256;

/// The first message that a worker sends over its socket: the name of its program, the protocol, the byte order, the
/// size of the shared page and the build, as `key=value` words. Two programs exchange further messages only if the
/// whole text is equal.
///
/// Example: `openmi-component-host protocol=7 byte-order=little page=135168 openmi abi=1 ... headers=6f0c9a41d2b7e583`
/// \returns kGreetingSize bytes
std::string GreetingText(std::string_view program, std::string_view build);

/// The descriptors of the open files in a worker: the socket.
inline constexpr int kSocketThere = 3;
inline constexpr int kPageThere = 4;  ///< shared memory of the channel
inline constexpr int kRowsThere = 5;  ///< shared memory for rows of numbers
/// In place of the page, in a worker on another host: the text of WorkerKey::ForRows.
inline constexpr int kRowKeyThere = kPageThere;

/// The first call in a worker: sends the greeting, and starts to watch the socket.
///
/// When the other side of the socket is gone, this process is ended, whatever it does, and its process group if it
/// leads one. That happens 2 s later, to give the process time to end itself.
/// \throws std::system_error  a thread cannot be created, or the other side is gone
void GreetAndWatch(int socket, const std::string& greeting);

/// Whether the other side still holds its end of the socket.
bool IsConnected(int socket);

/// For how long the system has got nothing over a connection; zero for a kind of socket of which it does not know.
struct SocketSilence {
  std::chrono::milliseconds data{0};             ///< no bytes
  std::chrono::milliseconds acknowledgement{0};  ///< no sign of life of the system of the other side
};
SocketSilence SilenceOf(int socket);

}  // namespace openmi
