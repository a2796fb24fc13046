#include "composition/channel/Greeting.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "composition/channel/Channel.hpp"

namespace openmi {
namespace {

/// Waits until the other side of the socket is gone, and ends the process a moment later.
///
/// PR_SET_PDEATHSIG does not serve: its signal comes when the thread that started this process ends, and the program
/// may outlive that thread.
void* WatchForEnd(void* socket) {
  pollfd state{static_cast<int>(reinterpret_cast<std::intptr_t>(socket)), POLLRDHUP, 0};
  while (poll(&state, 1, -1) < 0 && errno == EINTR) {
  }
  constexpr unsigned kMoment = 2;  // seconds
  for (unsigned left = kMoment; left > 0;) left = sleep(left);
  if (getpgrp() == getpid()) kill(0, SIGKILL);
  _exit(1);
}

}  // namespace

std::string GreetingText(std::string_view program, std::string_view build) {
  std::string text(program);
  text += " protocol=" + std::to_string(kWorkerProtocol);
  text += std::endian::native == std::endian::little ? " byte-order=little" : " byte-order=big";
  text += " page=" + std::to_string(Channel::PageSize()) + " ";
  text += build;
  text.resize(kGreetingSize);
  return text;
}

void GreetAndWatch(int socket, const std::string& greeting) {
  constexpr std::size_t kStack = 256 * 1024;  // counts towards the memory limit
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error =
      pthread_create(&thread, &attributes, WatchForEnd, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "a thread that watches for the other side");
  // A greeting fits into the buffer of any socket.
  if (send(socket, greeting.data(), greeting.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(greeting.size())) {
    throw std::system_error(errno, std::generic_category(), "a greeting to the other side");
  }
}

SocketSilence SilenceOf(int socket) {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return {};
  return {std::chrono::milliseconds(info.tcpi_last_data_recv), std::chrono::milliseconds(info.tcpi_last_ack_recv)};
}

bool IsConnected(int socket) {
  pollfd state{socket, 0, 0};
  return poll(&state, 1, 0) >= 0 && (state.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

}  // namespace openmi
