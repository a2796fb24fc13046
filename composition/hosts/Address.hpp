#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "openmi/standard/Value.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

using SocketDeadline = std::chrono::steady_clock::time_point;

/// Listens at an interface of this host; the system chooses the port.
/// \param host  a name or an address of this host
/// \returns the socket, which does not block, and "host:port" for those who connect
/// \throws FileError  this host has no such interface
std::pair<FileDescriptor, std::string> ListenAt(const std::string& host);

/// The address of the interface of this host that leads to another one. Sends nothing.
/// \throws FileError  the name is unknown, or there is no way
std::string AddressTowards(const std::string& host);

/// Connects to "host:port" ("[::1]:4711" for an address with colons).
/// \throws FileError  no one is there, or the text is no address
FileDescriptor ConnectTo(const std::string& address, SocketDeadline deadline);

/// Reads or writes all bytes.
/// \returns false if the other side closes the connection, or at the deadline
bool ReadExactly(int socket, std::span<std::byte> into, SocketDeadline deadline);
bool WriteExactly(int socket, ByteView bytes, SocketDeadline deadline);

}  // namespace openmi
