#include "fmi-bridge/dcp/protocol/transport/Sockets.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
std::chrono::nanoseconds TimeLeft(Transport::Clock::time_point deadline) {
  const auto now = Transport::Clock::now();
  return deadline <= now ? std::chrono::nanoseconds(0) : std::chrono::nanoseconds(deadline - now);
}

sockaddr_in ToAddress(Endpoint endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(endpoint.port);
  address.sin_addr.s_addr = htonl(endpoint.address);
  return address;
}

Endpoint FromAddress(const sockaddr_in& address) {
  return {.address = ntohl(address.sin_addr.s_addr), .port = ntohs(address.sin_port)};
}

Endpoint LocalOf(int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return FromAddress(address);
}

void LimitBlocking(int socket) {
  const timeval tick{.tv_sec = 0, .tv_usec = std::chrono::microseconds(kSocketTick).count()};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &tick, sizeof tick);
}

void ThrowSocketError(const std::string& deed, Endpoint endpoint, int error, const std::string& remedy) {
  throw FileError({}, fmt::format("expected to {} {}, found: {}", deed, ToText(endpoint), std::strerror(error)),
                  remedy);
}

std::string RemedyForBinding(Endpoint endpoint, int error) {
  if (error == EADDRINUSE) {
    return fmt::format("port {} is in use: end the program that has it, or choose another port", endpoint.port);
  }
  if (error == EACCES) return "ports below 1024 need rights of the system: choose a higher one";
  return "choose an address of this machine";
}

int WaitForEvents(int epoll, std::span<epoll_event> events, Transport::Clock::time_point deadline) {
  const auto nanoseconds = TimeLeft(deadline).count();
  const timespec left{.tv_sec = nanoseconds / 1'000'000'000, .tv_nsec = nanoseconds % 1'000'000'000};
  return std::max(0, epoll_pwait2(epoll, events.data(), static_cast<int>(events.size()), &left, nullptr));
}

void Watch(int epoll, int descriptor, std::uint64_t tag) {
  epoll_event event{.events = EPOLLIN, .data = {.u64 = tag}};
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

}  // namespace openmi::dcp
