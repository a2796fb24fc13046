#include "composition/hosts/Address.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

struct FreeList {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, FreeList>;

/// \param port  empty: any
AddressList Resolve(const std::string& host, const std::string& port, bool listens) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = (listens ? AI_PASSIVE : 0) | (port.empty() ? 0 : AI_NUMERICSERV);
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), port.empty() ? "0" : port.c_str(), &hints, &found);
  if (error != 0) {
    throw FileError({.file = host},
                    fmt::format("expected the name or address of a host, found: {}", gai_strerror(error)),
                    "correct it, or add the host to /etc/hosts");
  }
  return AddressList(found);
}

/// Waits for a socket.
/// \returns false at the deadline
bool WaitFor(int socket, short events, SocketDeadline deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) return false;
  pollfd ready{socket, events, 0};
  return poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 1000)) + 1) >= 0;
}

bool IsRetried(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/// Whether it stands for all addresses of this host, at none of which others can be asked to connect.
bool IsAnyAddress(const addrinfo& one) {
  if (one.ai_family == AF_INET) return reinterpret_cast<const sockaddr_in*>(one.ai_addr)->sin_addr.s_addr == INADDR_ANY;
  if (one.ai_family != AF_INET6) return false;
  const in6_addr& address = reinterpret_cast<const sockaddr_in6*>(one.ai_addr)->sin6_addr;
  constexpr in_addr_t kAny = INADDR_ANY;
  return IN6_IS_ADDR_UNSPECIFIED(&address) ||
         (IN6_IS_ADDR_V4MAPPED(&address) && std::memcmp(&address.s6_addr[12], &kAny, sizeof kAny) == 0);
}

}  // namespace

std::pair<FileDescriptor, std::string> ListenAt(const std::string& host) {
  if (host.starts_with('[') || std::ranges::count(host, ':') == 1) {
    throw FileError({.file = host}, "expected an address without brackets and port to listen at, found another form",
                    "write the address alone; the system chooses the port");
  }
  const AddressList list = Resolve(host, {}, true);
  if (IsAnyAddress(*list)) {
    throw FileError({.file = host}, "expected one address of this host to listen at, found the one that stands for all",
                    "name the address at which the workers reach this host (--listen)");
  }
  int error = EADDRNOTAVAIL;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    FileDescriptor listener(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    if (!listener.IsOpen() || bind(listener.Number(), one->ai_addr, one->ai_addrlen) != 0 ||
        listen(listener.Number(), SOMAXCONN) != 0 ||
        getsockname(listener.Number(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) {
      error = errno;
      continue;
    }
    const std::uint16_t port = ntohs(one->ai_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                                                : reinterpret_cast<sockaddr_in&>(bound).sin_port);
    const bool has_colons = host.find(':') != std::string::npos;
    return {std::move(listener), fmt::format("{}{}{}:{}", has_colons ? "[" : "", host, has_colons ? "]" : "", port)};
  }
  throw FileError({.file = host},
                  fmt::format("expected an interface of this host to listen at, found: {}", std::strerror(error)),
                  "name an address of this host that the workers reach (--listen)");
}

std::string AddressTowards(const std::string& host) {
  const AddressList list = Resolve(host, "9", false);  // a port is needed, and none is reached
  int error = EADDRNOTAVAIL;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    const FileDescriptor probe(socket(one->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    std::array<char, NI_MAXHOST> text{};
    if (probe.IsOpen() && connect(probe.Number(), one->ai_addr, one->ai_addrlen) == 0 &&
        getsockname(probe.Number(), reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
        getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) ==
            0) {
      return text.data();
    }
    error = errno;
  }
  throw FileError({.file = host}, fmt::format("expected a way to this host, found: {}", std::strerror(error)),
                  "name the address at which it reaches this host (--listen)");
}

FileDescriptor ConnectTo(const std::string& address, SocketDeadline deadline) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size() || colon == 0) {
    throw FileError({.file = address}, "expected the address of a run, found no 'host:port'");
  }
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  const AddressList list = Resolve(host, address.substr(colon + 1), false);
  int error = EADDRNOTAVAIL;
  for (const addrinfo* one = list.get(); one != nullptr; one = one->ai_next) {
    FileDescriptor connection(socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!connection.IsOpen()) continue;
    if (connect(connection.Number(), one->ai_addr, one->ai_addrlen) != 0) {
      error = errno;
      if (error != EINPROGRESS) continue;
      pollfd ready{connection.Number(), POLLOUT, 0};
      error = ETIMEDOUT;
      socklen_t size = sizeof error;
      while (WaitFor(connection.Number(), POLLOUT, deadline) && poll(&ready, 1, 0) == 0) {
      }
      if (ready.revents == 0 || getsockopt(connection.Number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
          error != 0) {
        continue;
      }
    }
    fcntl(connection.Number(), F_SETFL, fcntl(connection.Number(), F_GETFL) & ~O_NONBLOCK);
    return connection;
  }
  throw FileError({.file = address},
                  fmt::format("expected a run that waits for workers, found: {}", std::strerror(error)),
                  "it has ended, or this host does not reach it");
}

bool ReadExactly(int socket, std::span<std::byte> into, SocketDeadline deadline) {
  while (!into.empty()) {
    const ssize_t got = recv(socket, into.data(), into.size(), MSG_DONTWAIT);
    if (got > 0) {
      into = into.subspan(static_cast<std::size_t>(got));
    } else if (got == 0 || !IsRetried(errno) || !WaitFor(socket, POLLIN, deadline)) {
      return false;
    }
  }
  return true;
}

bool WriteExactly(int socket, ByteView bytes, SocketDeadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (!IsRetried(errno) || !WaitFor(socket, POLLOUT, deadline)) {
      return false;
    }
  }
  return true;
}

}  // namespace openmi
