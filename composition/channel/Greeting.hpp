#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

/// The number of the protocol between a program and those that compute for it: raised with every change of what is
/// written in docs/isolation.md under "The protocol".
inline constexpr unsigned kWorkerProtocol = 3;

/// The bytes of a greeting; its text is followed by zeros.
inline constexpr std::size_t kGreetingSize = 256;

/// What a program sends over its socket before anything else: its name, the protocol, the byte order, the size of the
/// shared page and the build, as `key=value` words. Two programs talk only where the whole text is the same.
/// `openmi-component-host protocol=3 byte-order=little page=135168 openmi abi=1 ... headers=6f0c9a41d2b7e583`
/// \returns kGreetingSize bytes
std::string GreetingText(std::string_view program, std::string_view build);

/// The number of each open file in a program that is started to compute for another.
inline constexpr int kSocketThere = 3;
inline constexpr int kPageThere = 4;  ///< shared memory of the channel
inline constexpr int kRowsThere = 5;  ///< shared memory for rows of numbers

/// The first thing of such a program: sends the greeting, and from now on ends this process, and all it started, when
/// the other side of the socket is gone, whatever it is doing: a moment later, since a process that was let go ends by
/// itself.
/// \throws std::system_error  there is no thread, or nobody to greet
void GreetAndWatch(int socket, const std::string& greeting);

/// Whether the other side still holds its end of the socket.
bool IsConnected(int socket);

}  // namespace openmi
