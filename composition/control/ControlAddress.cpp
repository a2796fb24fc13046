#include "composition/control/ControlAddress.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {
namespace {

constexpr std::string_view kTcp = "tcp:";

}  // namespace

ControlAddress ControlAddress::Parse(const std::string& text) {
  ControlAddress address;
  if (!text.starts_with(kTcp)) {
    address.socket = text;
    return address;
  }
  const std::string_view port = std::string_view(text).substr(kTcp.size());
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size()) {
    throw FormatError({}, fmt::format("expected a port from 0 to 65535 after 'tcp:', found {}", Quoted(text)),
                      "write it as in tcp:7007; 0 takes any free port");
  }
  return address;
}

std::string ControlAddress::Text() const {
  return socket.empty() ? fmt::format("tcp:{}", port) : socket.string();
}

std::filesystem::path ControlFolder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  const bool has_runtime = runtime != nullptr && *runtime == '/' && access(runtime, W_OK | X_OK) == 0;
  const std::filesystem::path folder =
      has_runtime ? std::filesystem::path(runtime) / "openmi"
                  : std::filesystem::temp_directory_path() / fmt::format("openmi-{}", getuid());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    throw FileError({.file = folder.string()},
                    fmt::format("expected a folder for the sockets of runs, found: {}", std::strerror(errno)),
                    "name a socket in a folder that can be written, with --control=PATH");
  }
  struct stat status {};
  // Not a symbolic link, and accessible to this user only: the folder protects the sockets in it.
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != getuid() ||
      (status.st_mode & 0077) != 0) {
    throw FileError({.file = folder.string()},
                    "expected a folder that only this user can enter, found one that another user owns or can enter",
                    "remove it, or name a socket in another folder with --control=PATH");
  }
  return folder;
}

bool IsListenedAt(const std::filesystem::path& socket) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = socket.string();
  if (path.size() >= sizeof name.sun_path) return false;
  std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool answers = connect(probe, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
  close(probe);
  return answers;
}

std::vector<std::filesystem::path> ControlSockets() {
  std::vector<std::filesystem::path> sockets;
  for (const auto& entry : std::filesystem::directory_iterator(ControlFolder())) {
    if (entry.is_socket() && IsListenedAt(entry.path())) sockets.push_back(entry.path());
  }
  std::ranges::sort(sockets);
  return sockets;
}

std::string NewControlToken() {
  unsigned char bytes[16] = {};
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) {
    throw FileError({}, "expected random bits of the system, found none");
  }
  std::string token;
  for (unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace openmi
