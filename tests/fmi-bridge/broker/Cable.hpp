#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "tests/support/RabbitServer.hpp"

namespace openmi::broker {

/// Stands between a client and the broker, and can be cut.
class Cable {
 public:
  /// \param to  port of the broker
  explicit Cable(int to)
      : to_(to), port_(RabbitServer::FreePort()), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const sockaddr_in address = Address(port_);
    const int yes = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    listen(listener_, 4);
    thread_ = std::thread([this] { Run(); });
  }
  ~Cable() {
    ends_ = true;
    thread_.join();
    close(listener_);
  }
  int Port() const { return port_; }
  /// Whoever connects then is thrown out.
  void SetCut(bool cut) { is_cut_ = cut; }

 private:
  static sockaddr_in Address(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  static bool Pass(int from, int to) {
    std::array<char, 4096> buffer{};
    const ssize_t got = recv(from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    return got > 0 && send(to, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got;
  }
  void Run() {
    int client = -1;
    int broker = -1;
    while (!ends_) {
      std::array<pollfd, 3> wanted = {pollfd{listener_, POLLIN, 0}, pollfd{client, POLLIN, 0},
                                      pollfd{broker, POLLIN, 0}};
      poll(wanted.data(), wanted.size(), 10);
      bool keeps = !is_cut_;
      if (client < 0 && (wanted[0].revents & POLLIN) != 0) {
        client = accept(listener_, nullptr, nullptr);
        broker = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = Address(to_);
        if (connect(broker, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) keeps = false;
      }
      if (keeps && (wanted[1].revents & (POLLIN | POLLHUP)) != 0) keeps = Pass(client, broker);
      if (keeps && (wanted[2].revents & (POLLIN | POLLHUP)) != 0) keeps = Pass(broker, client);
      if (keeps || client < 0) continue;
      close(client);
      close(broker);
      client = broker = -1;
    }
    if (client >= 0) close(client);
    if (broker >= 0) close(broker);
  }

  int to_;
  int port_;
  int listener_;
  std::atomic<bool> is_cut_ = false;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace openmi::broker
