#include "composition/control/ControlServer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostClients = 16;
constexpr std::size_t kMostStrangers = 32;             // clients that have not sent the token of a port yet
constexpr std::chrono::milliseconds kTokenTime{2000};  // within which they have to send it
constexpr int kBacklog = 128;  // connections that wait to be accepted, so that few have to be tried again

[[noreturn]] void Refused(const ControlAddress& address, int error) {
  const bool is_taken = error == EADDRINUSE;
  throw FileError({.file = address.Text()},
                  fmt::format("expected an address to listen at for the operator, found: {}", std::strerror(error)),
                  is_taken ? "another run listens there; choose another with --control=PATH"
                           : "choose another with --control=PATH");
}

int ListenAtSocket(const ControlAddress& address) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string path = address.socket.string();
  if (path.size() >= sizeof name.sun_path) {
    throw FileError({.file = path},
                    fmt::format("expected a path of at most {} bytes for a socket, found {}", sizeof name.sun_path - 1,
                                path.size()),
                    "choose a shorter one with --control=PATH");
  }
  std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) {
      throw FileError({.file = path}, "expected the path of a socket, found a file",
                      "choose another with --control=PATH");
    }
    if (IsListenedAt(address.socket)) Refused(address, EADDRINUSE);
    unlink(path.c_str());
  }
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // The socket is accessible to this user only, from the first moment: Linux gives the file the permissions of the
  // socket. The umask belongs to the whole process, in which other threads create files meanwhile; permissions that it
  // removes are restored.
  constexpr mode_t kOwn = S_IRUSR | S_IWUSR;
  if (listener < 0 || fchmod(listener, kOwn) != 0 ||
      bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) {
    const int error = errno;
    if (listener >= 0) close(listener);
    Refused(address, error);
  }
  if (lstat(path.c_str(), &status) == 0 && (status.st_mode & 0777) != kOwn) chmod(path.c_str(), kOwn);
  return listener;
}

int ListenAtPort(ControlAddress& address) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(address.port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  if (bind(listener, reinterpret_cast<const sockaddr*>(&name), size) != 0 ||
      getsockname(listener, reinterpret_cast<sockaddr*>(&name), &size) != 0) {
    const int error = errno;
    close(listener);
    Refused(address, error);
  }
  address.port = ntohs(name.sin_port);
  if (address.token.empty()) address.token = NewControlToken();
  return listener;
}

bool SameToken(const std::string& a, const std::string& b) {
  unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {  // takes the same time wherever the texts differ
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i % std::max<std::size_t>(b.size(), 1)]));
  }
  return difference == 0 && !b.empty();
}

}  // namespace

ControlServer::ControlServer(const ControlAddress& address, std::string greeting, Answer answer)
    : address_(address), greeting_(std::move(greeting)), answer_(std::move(answer)) {
  listener_ = address_.socket.empty() ? ListenAtPort(address_) : ListenAtSocket(address_);
  if (listen(listener_, kBacklog) != 0 || pipe2(wake_, O_CLOEXEC) != 0) {
    const int error = errno;
    close(listener_);
    Refused(address_, error);
  }
  thread_ = std::thread([this] { Listen(); });
}

ControlServer::~ControlServer() {
  Stop();
  thread_.join();
  for (const Stranger& stranger : strangers_) close(stranger.socket);
  for (Client& client : clients_) {
    if (client.thread.joinable()) client.thread.join();
    close(client.socket);
  }
  close(listener_);
  close(wake_[0]);
  if (!address_.socket.empty()) unlink(address_.socket.c_str());
}

void ControlServer::Stop() {
  if (is_stopping_.exchange(true)) return;
  close(wake_[1]);  // every poll sees the end of the pipe
}

void ControlServer::Listen() {
  using Clock = std::chrono::steady_clock;
  std::vector<pollfd> wait;
  while (!IsStopping()) {
    wait = {{wake_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const Stranger& stranger : strangers_) wait.push_back({stranger.socket, POLLIN, 0});
    int longest = -1;
    if (!strangers_.empty()) {  // the first one has waited longest
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(strangers_.front().until - Clock::now());
      longest = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    if (poll(wait.data(), wait.size(), longest) < 0 || wait[0].revents != 0) continue;
    // A client that has sent the token is accepted before a new one can replace it.
    const Clock::time_point now = Clock::now();
    std::size_t number = 2;
    for (auto stranger = strangers_.begin(); stranger != strangers_.end(); ++number) {
      const bool is_left = (wait[number].revents != 0 && !Hear(*stranger)) || stranger->until <= now;
      if (is_left && stranger->socket >= 0) {
        shutdown(stranger->socket, SHUT_RDWR);
        close(stranger->socket);
      }
      stranger = is_left || stranger->socket < 0 ? strangers_.erase(stranger) : std::next(stranger);
    }
    if (wait[1].revents == 0) continue;
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      // Without a free file descriptor the new connection stays in the queue: poll would return at once, again and
      // again.
      constexpr int kPauseMs = 250;
      if (errno != EINTR && errno != ECONNABORTED) poll(wait.data(), 1, kPauseMs);
      continue;
    }
    if (!address_.socket.empty()) {
      LetIn(socket, LineSplitter());
      continue;
    }
    if (strangers_.size() == kMostStrangers) {
      shutdown(strangers_.front().socket, SHUT_RDWR);
      close(strangers_.front().socket);
      strangers_.pop_front();
    }
    strangers_.push_back({socket, now + kTokenTime, LineSplitter()});
  }
}

bool ControlServer::Hear(Stranger& stranger) {
  std::array<char, 4096> block;
  const ssize_t got = recv(stranger.socket, block.data(), block.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return true;
  if (got <= 0) return false;
  const bool fits = stranger.lines.Add({block.data(), static_cast<std::size_t>(got)});
  std::optional<std::string> line = stranger.lines.Next();
  while (line && line->empty()) line = stranger.lines.Next();
  if (!line && fits) return true;
  if (line && Admit(*line)) {
    LetIn(std::exchange(stranger.socket, -1), std::move(stranger.lines));
    return true;
  }
  constexpr std::string_view kRefusal =
      "{\"ok\":false,\"error\":\"expected {\\\"token\\\":\\\"...\\\"} with the token of this run, found another "
      "line\",\"remedy\":\"give --token\"}\n";
  send(stranger.socket, kRefusal.data(), kRefusal.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return false;
}

void ControlServer::LetIn(int socket, LineSplitter lines) {
  const std::lock_guard lock(mutex_);
  for (auto client = clients_.begin(); client != clients_.end();) {
    if (client->is_done) {
      client->thread.join();
      close(client->socket);
      client = clients_.erase(client);
    } else {
      ++client;
    }
  }
  if (clients_.size() >= kMostClients) {
    Send(socket, R"({"ok":false,"error":"expected at most 16 operators, found one more","remedy":"try again later"})");
    close(socket);
    return;
  }
  Client& client = clients_.emplace_back();
  client.socket = socket;
  client.lines = std::move(lines);
  try {
    client.thread = std::thread([this, &client] {
      Serve(client);
      shutdown(client.socket, SHUT_RDWR);
      client.is_done = true;
    });
  } catch (const std::system_error&) {  // no thread can be created: the run continues
    clients_.pop_back();
    Send(socket,
         R"({"ok":false,"error":"expected a thread for one more operator, found none","remedy":"try again later"})");
    close(socket);
  }
}

bool ControlServer::Send(int socket, std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t sent = send(socket, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd wait[2] = {{socket, POLLOUT, 0}, {wake_[0], POLLIN, 0}};
    if (poll(wait, 2, 10'000) <= 0 || wait[1].revents != 0) return false;  // a client that does not read
  }
  return true;
}

bool ControlServer::Admit(const std::string& line) const {
  const auto hello = nlohmann::json::parse(line, nullptr, false);
  if (!hello.is_object()) return false;
  const auto token = hello.find("token");
  return token != hello.end() && token->is_string() && SameToken(token->get<std::string>(), address_.token);
}

void ControlServer::Serve(Client& client) {
  std::array<char, 4096> block;
  if (!Send(client.socket, greeting_)) return;
  bool fits = true;
  while (!IsStopping()) {
    while (const auto line = client.lines.Next()) {
      if (line->empty()) continue;
      if (!Send(client.socket, answer_(*line))) return;
      if (IsStopping()) return;
    }
    if (!fits) {
      Send(
          client.socket,
          R"({"ok":false,"error":"expected lines of at most 65536 bytes, found a longer one","remedy":"send less at once"})");
      return;
    }
    pollfd wait[2] = {{client.socket, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents != 0) return;
    const ssize_t got = recv(client.socket, block.data(), block.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    fits = client.lines.Add({block.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace openmi
