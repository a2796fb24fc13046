#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "composition/results/FileDescriptor.hpp"
#include "fmi-bridge/dcp/transport/Transport.hpp"

struct sockaddr_in;
struct epoll_event;

// What the two transports over IPv4 share. Not installed.

namespace openmi::dcp {

/// Receiving blocks for at most so long before clock and other doors are looked at again.
inline constexpr std::chrono::milliseconds kSocketTick{20};

sockaddr_in ToAddress(Endpoint endpoint);
Endpoint FromAddress(const sockaddr_in& address);
/// The endpoint that a socket is bound to.
Endpoint LocalOf(int socket);
/// Lets a blocking receive return after kSocketTick.
void LimitBlocking(int socket);
/// \throws FileError  "expected to <deed> <endpoint>, found <text of errno>"
[[noreturn]] void ThrowSocketError(const std::string& deed, Endpoint endpoint, int error, const std::string& remedy);
/// The remedy where a port cannot be had.
std::string RemedyForBinding(Endpoint endpoint, int error);

/// What is left until a deadline: zero when it has passed, however long ago.
std::chrono::nanoseconds TimeLeft(Transport::Clock::time_point deadline);
/// Waits on one descriptor for reading until the deadline. \returns whether it is readable
bool WaitReadable(int descriptor, Transport::Clock::time_point deadline);
/// Waits on an epoll descriptor. \returns events, 0 at the deadline or when a signal came
int WaitForEvents(int epoll, std::span<epoll_event> events, Transport::Clock::time_point deadline);
/// Adds a descriptor to an epoll descriptor for reading.
void Watch(int epoll, int descriptor, std::uint64_t tag);

}  // namespace openmi::dcp
