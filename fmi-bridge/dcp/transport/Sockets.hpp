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

/// Receiving from one socket blocks for at most so long before clock and other sockets are looked at again.
inline constexpr std::chrono::milliseconds kSocketTick{4};

/// Which of several sockets everything came from of late. To wait at that one is a call of the system less than to wait
/// at all; a wrong guess costs a tick, and is not made again before the same socket was seen often enough.
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
  static constexpr int kLookAround = 512;  // then the others are looked at, who might be drowned else

  std::size_t who_ = 0;
  int length_ = 0;
};

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
/// Waits on an epoll descriptor.
/// \returns events, 0 at the deadline or when a signal came
int WaitForEvents(int epoll, std::span<epoll_event> events, Transport::Clock::time_point deadline);
/// Adds a descriptor to an epoll descriptor for reading.
void Watch(int epoll, int descriptor, std::uint64_t tag);

}  // namespace openmi::dcp
