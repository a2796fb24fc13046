#include "composition/control/ControlClient.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {
namespace {

constexpr std::chrono::milliseconds kAnswerTime{5000};

int Connect(const ControlAddress& address) {
  int connected = -1;
  int result = -1;
  if (address.socket.empty()) {
    connected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(address.port);
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    result = connect(connected, reinterpret_cast<const sockaddr*>(&name), sizeof name);
  } else {
    connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    const std::string path = address.socket.string();
    errno = ENAMETOOLONG;
    if (path.size() < sizeof name.sun_path) {
      std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
      result = connect(connected, reinterpret_cast<const sockaddr*>(&name), sizeof name);
    }
  }
  if (result == 0) return connected;
  const int error = errno;
  close(connected);
  throw FileError({.file = address.Text()},
                  fmt::format("expected a run that listens here, found: {}", std::strerror(error)),
                  "start one with 'openmi run FILE --control'");
}

}  // namespace

ControlClient::ControlClient(const ControlAddress& address) : address_(address), socket_(Connect(address)) {
  try {
    greeting_ = address.socket.empty() ? Ask(nlohmann::json{{"token", address.token}}.dump(), kAnswerTime)
                                       : NextLine(kAnswerTime);
    const auto greeting = nlohmann::json::parse(greeting_, nullptr, false);
    if (!greeting.is_object() || !greeting.contains("openmi-control")) {
      throw FormatError({.file = address.Text()},
                        fmt::format("expected the greeting of a run, found {}", Quoted(greeting_)),
                        "check the address, and the token of a port");
    }
  } catch (...) {
    close(socket_);
    throw;
  }
}

ControlClient::~ControlClient() {
  close(socket_);
}

std::string ControlClient::Ask(const std::string& line, std::chrono::milliseconds patience) {
  const std::string whole = line + '\n';
  std::string_view rest = whole;
  while (!rest.empty()) {
    const ssize_t sent = send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;  // the answer may say why
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return NextLine(patience);
}

std::string ControlClient::NextLine(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::array<char, 4096> block;
  while (true) {
    if (auto line = lines_.Next()) return *line;
    int wait = -1;
    if (patience.count() > 0) {
      wait = static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count());
      if (wait <= 0) {
        throw FileError({.file = address_.Text()},
                        fmt::format("expected an answer within {} ms, found none", patience.count()),
                        "the run may be inside a long step; try again");
      }
    }
    pollfd ready{socket_, POLLIN, 0};
    if (poll(&ready, 1, wait) <= 0) continue;
    const ssize_t got = recv(socket_, block.data(), block.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw FileError({.file = address_.Text()}, "expected an answer, found that the run has ended",
                      "its report and results say how");
    }
    if (!lines_.Add({block.data(), static_cast<std::size_t>(got)})) {
      throw FormatError({.file = address_.Text()}, "expected an answer of at most 64 MiB, found a longer one");
    }
  }
}

}  // namespace openmi
