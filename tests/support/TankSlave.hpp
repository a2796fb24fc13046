#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>

/// The tank of examples/dcp-tank, a process that ends with its first master.
class TankSlave {
 public:
  /// \param description  with that port
  TankSlave(const std::filesystem::path& description, int port) : process_(fork()) {
    if (process_ < 0) throw std::runtime_error("fork failed");
    if (process_ == 0) {
      execl(OPENMI_BINARY_DIR "/examples/dcp-tank/tank-slave", "tank-slave", description.c_str(), nullptr);
      _exit(127);
    }
    const std::string listening = fmt::format(":{:04X} 00000000:0000 0A", port);
    for (int i = 0; i < 3000 && Connections().find(listening) == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  TankSlave(const TankSlave&) = delete;
  TankSlave& operator=(const TankSlave&) = delete;
  ~TankSlave() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  pid_t Process() const { return process_; }

  /// A port of the loopback that was free just now.
  static int FreePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (socket < 0 || bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    close(socket);
    return ntohs(address.sin_port);
  }

 private:
  static std::string Connections() {
    std::ifstream in("/proc/net/tcp");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  pid_t process_ = -1;
};
