#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "openmi/system/FileDescriptor.hpp"

struct sockaddr_in;
struct epoll_event;

/// \file
/// What the two transports over IPv4 share. Not installed.

namespace openmi::dcp {

/// The longest time that a receive blocks on one socket before the clock and the other sockets are read again.
inline constexpr std::chrono::milliseconds kSocketTick{4};

/// Guesses which of several sockets the next data arrive at.
///
/// Waiting at one socket needs one system call less than waiting at all. A wrong guess costs one kSocketTick, and is
/// not made again before the same socket was seen often enough.
class Streak {
 public:
  void Saw(std::size_t who) {
    length_ = who == who_ && length_ < kLookAround ? length_ + 1 : 0;
    who_ = who;
  }
  void Break() { length_ = 0; }
  bool IsSure() const { return length_ >= kSure; }
  std::size_t Who() const { return who_; }

 private:
  static constexpr int kSure = 16;
  static constexpr int kLookAround = 512;  // then the other sockets are read, so that none starves

  std::size_t who_ = 0;
  int length_ = 0;
};

sockaddr_in ToAddress(Endpoint endpoint);
Endpoint FromAddress(const sockaddr_in& address);
/// The endpoint that a socket is bound to.
Endpoint LocalOf(int socket);
/// Makes a blocking receive return after kSocketTick.
void LimitBlocking(int socket);
/// \throws FileError  always; "expected to `deed` `endpoint`, found ..." with the text of `error`, an errno
[[noreturn]] void ThrowSocketError(const std::string& deed, Endpoint endpoint, int error, const std::string& remedy);
/// The remedy to report where a port cannot be bound.
std::string RemedyForBinding(Endpoint endpoint, int error);

/// The time left until a deadline; zero when it has passed.
std::chrono::nanoseconds TimeLeft(Transport::Clock::time_point deadline);
/// Waits on an epoll descriptor.
/// \returns the number of events; 0 at the deadline or when a signal arrived
int WaitForEvents(int epoll, std::span<epoll_event> events, Transport::Clock::time_point deadline);
/// Adds a descriptor to an epoll descriptor for reading.
void Watch(int epoll, int descriptor, std::uint64_t tag);

}  // namespace openmi::dcp
