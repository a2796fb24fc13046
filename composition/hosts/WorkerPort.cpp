#include "composition/hosts/WorkerPort.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

namespace openmi {
namespace {

constexpr std::size_t kMostVisitors = 128;
constexpr std::chrono::seconds kVisit{3};
constexpr int kLook = 20;  // ms

/// Lets the system of the other side answer each second in place of a worker that does not send anything yet.
void KeepAlive(int socket) {
  const int one = 1;
  const int most_lost = 3;  // questions without an answer, in a row
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &one, sizeof one);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &one, sizeof one);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &most_lost, sizeof most_lost);
}

}  // namespace

std::uint64_t WorkerPort::Expect(const WorkerWelcome& welcome, int workers) {
  const std::lock_guard lock(mutex_);
  if (!listener_.IsOpen()) std::tie(listener_, address_) = ListenAt(host_);
  const std::uint64_t first = next_ticket_;
  for (int i = 0; i < workers; ++i) expected_[next_ticket_++] = welcome.ToBytes();
  return first;
}

std::string WorkerPort::Address() const {
  const std::lock_guard lock(mutex_);
  return address_;
}

std::uint64_t WorkerPort::Refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

void WorkerPort::GiveUp(std::uint64_t ticket) {
  const std::lock_guard lock(mutex_);
  expected_.erase(ticket);
  connected_.erase(ticket);
  CloseIfDone();
}

void WorkerPort::CloseIfDone() {
  if (!expected_.empty()) return;
  visitors_.clear();
  listener_ = FileDescriptor();
}

FileDescriptor WorkerPort::Take(std::uint64_t ticket, const std::function<bool()>& goes_on) {
  while (true) {
    const std::lock_guard lock(mutex_);
    if (const auto found = connected_.find(ticket); found != connected_.end()) {
      FileDescriptor connection = std::move(found->second);
      connected_.erase(found);
      return connection;
    }
    if (!goes_on()) return FileDescriptor();
    std::vector<pollfd> states = {{listener_.Number(), POLLIN, 0}};
    for (const Visitor& visitor : visitors_) states.push_back({visitor.connection.Number(), POLLIN, 0});
    if (poll(states.data(), states.size(), kLook) > 0) {
      ServeVisitors();
      AcceptSome();
    }
    const auto now = std::chrono::steady_clock::now();
    refused_ += std::erase_if(visitors_, [now](const Visitor& visitor) { return now > visitor.until; });
    CloseIfDone();
  }
}

void WorkerPort::AcceptSome() {
  for (std::size_t i = 0; i < kMostVisitors; ++i) {
    FileDescriptor connection(accept4(listener_.Number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection.IsOpen()) return;  // none waits; or no descriptor is left, and those who wait are served later
    KeepAlive(connection.Number());
    if (visitors_.size() == kMostVisitors) {
      visitors_.pop_front();
      ++refused_;
    }
    Visitor& visitor = visitors_.emplace_back(
        Visitor{std::move(connection), Admission(key_), std::chrono::steady_clock::now() + kVisit});
    const auto challenge = visitor.admission.Challenge();
    // It fits into the buffer of a new connection.
    send(visitor.connection.Number(), challenge.data(), challenge.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
}

void WorkerPort::ServeVisitors() {
  for (auto visitor = visitors_.begin(); visitor != visitors_.end();) {
    visitor = Serve(*visitor) ? std::next(visitor) : visitors_.erase(visitor);
  }
}

bool WorkerPort::Serve(Visitor& visitor) {
  const int socket = visitor.connection.Number();
  const ssize_t got =
      recv(socket, visitor.answer.data() + visitor.got, visitor.answer.size() - visitor.got, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return true;
  if (got > 0) visitor.got += static_cast<std::size_t>(got);
  if (got > 0 && visitor.got < visitor.answer.size()) return true;
  const auto ticket = got > 0 ? visitor.admission.Check(visitor.answer) : std::nullopt;
  const auto expected = ticket ? expected_.find(*ticket) : expected_.end();
  if (expected == expected_.end()) {
    ++refused_;
    return false;
  }
  if (WriteExactly(socket, visitor.admission.Accept(visitor.answer, expected->second),
                   std::chrono::steady_clock::now() + kVisit)) {
    connected_[*ticket] = std::move(visitor.connection);
    expected_.erase(expected);
  }
  return false;
}

}  // namespace openmi
