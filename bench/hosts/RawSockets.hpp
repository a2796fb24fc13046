#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/exchange/Arithmetic.hpp"
#include "composition/hosts/Address.hpp"
#include "tests/support/NetworkHosts.hpp"

/// The work of the components of this benchmark over raw TCP sockets: the limit.
namespace raw {

using openmi::FileDescriptor;

inline auto Never() {
  return std::chrono::steady_clock::now() + std::chrono::hours(1);
}

inline void WithoutDelay(const FileDescriptor& connection) {
  const int yes = 1;
  setsockopt(connection.Number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

/// Blocks.
inline bool Receive(const FileDescriptor& connection, std::span<std::byte> into) {
  while (!into.empty()) {
    const ssize_t got = recv(connection.Number(), into.data(), into.size(), 0);
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

/// Sends a head and values with one call of the system.
template <class Head>
bool SendWith(const FileDescriptor& connection, const Head& head, std::span<const double> values) {
  std::array<iovec, 2> parts{iovec{const_cast<Head*>(&head), sizeof head},
                             iovec{const_cast<double*>(values.data()), values.size_bytes()}};
  const ssize_t sent = writev(connection.Number(), parts.data(), parts.size());
  if (sent < static_cast<ssize_t>(sizeof head)) return false;
  const auto rest = std::as_bytes(values).subspan(static_cast<std::size_t>(sent) - sizeof head);
  return openmi::WriteExactly(connection.Number(), rest, Never());
}

/// What a worker is asked for, in numbers of 8 bytes.
struct Task {
  std::size_t given = 0;   ///< these follow, and are added up
  std::size_t taken = 0;   ///< to be made, and sent back
  std::size_t passed = 0;  ///< to be made, and sent to the next worker
  std::size_t from = 0;    ///< come from the worker before, and are added up
};

/// Makes values as the provider of bench/isolation does. \returns the time that it took, seconds
inline double Make(double level, std::span<double> values) {
  const auto begin = std::chrono::steady_clock::now();
  for (double& value : values) value = level += 0.5;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A process in the namespace of a host. To be made before the program has other threads.
class Worker {
 public:
  /// \param before  the worker from which rows come; null: none
  Worker(const openmi::test::NetworkHosts& hosts, int host, Worker* before = nullptr) {
    auto [listener, address] = openmi::ListenAt(hosts.Here());
    child_ = fork();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const FileDescriptor there(open(("/var/run/netns/" + hosts.Name(host)).c_str(), O_RDONLY | O_CLOEXEC));
      if (setns(there.Number(), CLONE_NEWNET) == 0) {
        const FileDescriptor connection = openmi::ConnectTo(address, Never());
        WithoutDelay(connection);
        Serve(connection, hosts.There(host));
      }
      _exit(0);
    }
    connection_ = Accepted(listener);
    std::array<char, 64> own{};
    Check(Receive(connection_, std::as_writable_bytes(std::span(own))));
    if (before == nullptr) return;
    Check(SendWith(before->connection_, Task{.passed = 1}, {}) &&
          openmi::WriteExactly(before->connection_.Number(), std::as_bytes(std::span(own)), Never()) &&
          SendWith(connection_, Task{.from = 1}, {}));
  }
  ~Worker() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void Ask(const Task& task, std::span<const double> given) { Check(SendWith(connection_, task, given)); }
  /// \returns how long the worker made values, seconds
  double Answer(std::span<double> taken) {
    double seconds = 0.0;
    Check(Receive(connection_, std::as_writable_bytes(std::span(&seconds, 1))) &&
          Receive(connection_, std::as_writable_bytes(taken)));
    return seconds;
  }

 private:
  static void Check(bool answered) {
    if (!answered) throw std::runtime_error("expected a raw worker that answers, found none");
  }
  static FileDescriptor Accepted(const FileDescriptor& listener) {
    FileDescriptor connection;
    while (!connection.IsOpen()) connection = FileDescriptor(accept(listener.Number(), nullptr, nullptr));
    WithoutDelay(connection);
    return connection;
  }
  /// Receives from the worker before until there is a task: that worker sends before it answers.
  static bool TakeEarly(const FileDescriptor& connection, const FileDescriptor& other, std::vector<double>& values,
                        std::size_t& early) {
    if (!other.IsOpen()) return true;
    values.resize(std::max(values.size(), kMost));
    std::array<pollfd, 2> ready{pollfd{connection.Number(), POLLIN, 0}, pollfd{other.Number(), POLLIN, 0}};
    while (poll(ready.data(), ready.size(), -1) > 0 && ready[0].revents == 0) {
      const auto room = std::as_writable_bytes(std::span(values)).subspan(early);
      const ssize_t got = recv(other.Number(), room.data(), room.size(), 0);
      if (got <= 0) return false;
      early += static_cast<std::size_t>(got);
    }
    return true;
  }
  /// The first task with `passed` or `from` joins two workers.
  static void Serve(const FileDescriptor& connection, const std::string& host) {
    auto [listener, address] = openmi::ListenAt(host);
    std::array<char, 64> text{};
    std::ranges::copy(address, text.begin());
    if (!openmi::WriteExactly(connection.Number(), std::as_bytes(std::span(text)), Never())) return;
    FileDescriptor other;
    std::vector<double> values;
    Task task;
    double level = 0.0;
    volatile double sum = 0.0;
    std::size_t early = 0;  // bytes of a row that came before they were asked for
    while (TakeEarly(connection, other, values, early) &&
           Receive(connection, std::as_writable_bytes(std::span(&task, 1)))) {
      if (!other.IsOpen() && task.passed > 0) {
        if (!Receive(connection, std::as_writable_bytes(std::span(text)))) return;
        other = openmi::ConnectTo(text.data(), Never());
        WithoutDelay(other);
        continue;
      }
      if (!other.IsOpen() && task.from > 0) {
        other = Accepted(listener);
        continue;
      }
      values.resize(std::max({values.size(), task.given, task.taken, task.passed, task.from}));
      const auto part = [&values](std::size_t count) { return std::span(values).first(count); };
      double seconds = 0.0;
      if (task.given > 0 && !Receive(connection, std::as_writable_bytes(part(task.given)))) return;
      if (task.from > 0 && !Receive(other, std::as_writable_bytes(part(task.from)).subspan(early))) return;
      early = 0;
      if (task.given + task.from > 0) sum = sum + exchange::Consume(part(task.given + task.from));
      if (task.taken + task.passed > 0) seconds = Make(level += 1.0, part(task.taken + task.passed));
      if (task.passed > 0 && !openmi::WriteExactly(other.Number(), std::as_bytes(part(task.passed)), Never())) return;
      if (!SendWith(connection, seconds, part(task.taken))) return;
    }
  }

  static constexpr std::size_t kMost = 100'000;
  FileDescriptor connection_;
  pid_t child_ = -1;
};

}  // namespace raw
