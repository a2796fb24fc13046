#include "composition/channel/WorkerProcess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include "composition/channel/Channel.hpp"
#include "composition/channel/Greeting.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::seconds kPatience{2};             // with a process whose connection was closed
constexpr std::chrono::seconds kGreetingTime{30};        // within which a program has to send its greeting
constexpr std::chrono::milliseconds kStoppedTime{1600};  // a process that is stopped for so long counts as gone

}  // namespace

WorkerProcess::WorkerProcess(const std::vector<std::string>& argv, const std::vector<std::string>* environment,
                             const SharedMemory& page, const SharedMemory& rows, std::size_t memory) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw FileError({.file = argv.front()}, std::string("expected a local socket, found: ") + std::strerror(errno));
  }
  try {
    pid_ = SpawnChild(argv, {{ends[1], kSocketThere}, {page.Descriptor(), kPageThere}, {rows.Descriptor(), kRowsThere}},
                      memory, environment);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  socket_ = FileDescriptor(ends[0]);
  Watch();
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& argv, std::string_view input) : is_elsewhere_(true) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw FileError({.file = argv.front()}, std::string("expected a pipe, found: ") + std::strerror(errno));
  }
  const FileDescriptor out(ends[0]);
  const FileDescriptor in(ends[1]);
  if (write(in.Number(), input.data(), input.size()) != static_cast<ssize_t>(input.size())) {  // fits into any pipe
    throw FileError({.file = argv.front()}, std::string("expected a pipe to write to, found: ") + std::strerror(errno));
  }
  pid_ = SpawnChild(argv, {{out.Number(), STDIN_FILENO}}, 0);
  Watch();
}

void WorkerProcess::Watch() {
  pid_descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));  // glibc 2.36 declares it with C++ linkage
}

WorkerProcess::~WorkerProcess() {
  if (end_.empty()) {
    if (socket_.IsOpen()) shutdown(Socket(), SHUT_RDWR);  // the other side notices it and ends
    WaitForEnd(kPatience);
    TakeEnd(false);
  }
  if (pid_descriptor_ >= 0) close(pid_descriptor_);
}

void WorkerProcess::Connect(FileDescriptor connection) {
  socket_ = std::move(connection);
}

bool WorkerProcess::IsStoppedForLong() {
  siginfo_t state{};
  const bool is_stopped =
      waitid(P_PID, static_cast<id_t>(pid_), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 && state.si_pid == pid_;
  const auto now = std::chrono::steady_clock::now();
  if (!is_stopped) stopped_since_.reset();
  if (is_stopped && !stopped_since_) stopped_since_ = now;
  return stopped_since_ && now - *stopped_since_ > kStoppedTime;
}

bool WorkerProcess::HasEnded() const {
  if (pid_descriptor_ >= 0) {
    pollfd state{pid_descriptor_, POLLIN, 0};
    return poll(&state, 1, 0) > 0;
  }
  // No descriptor is left, or the system does not support them: check for the end without taking the result. If the
  // system keeps no result of ended children, no process with that id exists.
  siginfo_t end{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) == 0) return end.si_pid == pid_;
  return errno == ECHILD;
}

bool WorkerProcess::WaitForEnd(std::chrono::milliseconds longest) const {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!HasEnded()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    pollfd state{pid_descriptor_, POLLIN, 0};
    poll(&state, 1, pid_descriptor_ >= 0 ? 50 : 1);
  }
  return true;
}

bool WorkerProcess::TakeGreeting(const std::string& greeting, std::string& came) {
  came.assign(kGreetingSize, '\0');
  const auto deadline = std::chrono::steady_clock::now() + kGreetingTime;
  for (std::size_t got = 0; got < came.size();) {
    const ssize_t count = recv(Socket(), came.data() + got, came.size() - got, MSG_DONTWAIT);
    if (count > 0) {
      got += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && (errno == ETIMEDOUT || errno == EHOSTUNREACH)) Kill("was lost: its host or the network is down");
    if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) throw Channel::PeerGone{};
    pollfd ready{Socket(), POLLIN, 0};
    if (poll(&ready, 1, 20) > 0) continue;
    if (IsStoppedForLong()) Kill("was stopped before it sent its greeting");
    if (std::chrono::steady_clock::now() > deadline) {
      Kill("sent no greeting within " + TextOfSeconds(kGreetingTime) + " and was killed");
    }
    if (HasEnded()) throw Channel::PeerGone{};
  }
  if (came == greeting) return true;
  came = came.substr(0, came.find_first_of(std::string_view("\0\n", 2)));
  if (!came.starts_with(greeting.substr(0, greeting.find(' ') + 1))) came = "something else";
  Reap();
  end_ = "is a program of another build";
  return false;
}

void WorkerProcess::Kill(const std::string& why) {
  const std::lock_guard lock(reap_mutex_);
  if (is_reaped_) return;
  killed_since_ = why;
  kill(pid_, SIGKILL);
}

ChildResult WorkerProcess::Reap() {
  const std::lock_guard lock(reap_mutex_);
  is_reaped_ = true;
  return EndChild(pid_);
}

void WorkerProcess::AskWhere() {
  const std::lock_guard lock(reap_mutex_);
  if (!is_reaped_ && !is_elsewhere_) kill(pid_, SIGXCPU);
}

void WorkerProcess::TakeEnd(bool was_silent, std::chrono::nanoseconds limit) {
  if (!end_.empty()) return;
  const std::chrono::milliseconds moment(is_elsewhere_ ? 500 : 200);
  const bool by_itself = !was_silent && WaitForEnd(moment);  // its socket may be closed before it has ended
  const ChildResult result = Reap();
  if (!killed_since_.empty()) {
    end_ = killed_since_;
  } else if (was_silent) {
    end_ = "did not answer within " + TextOfSeconds(limit) + " and was killed";
  } else if (by_itself || result.signal != SIGKILL) {
    end_ = result.Sentence();
  } else if (is_elsewhere_) {
    end_ = "closed its connection";
  } else {
    end_ = "sent an invalid message and was killed";
  }
}

}  // namespace openmi
