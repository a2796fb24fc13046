#include "composition/channel/WorkerProcess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "composition/channel/Channel.hpp"
#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::seconds kPatience{2};             // with a process whose connection was closed
constexpr std::chrono::seconds kGreetingTime{30};        // within which a program has to send its greeting
constexpr std::chrono::milliseconds kStoppedTime{1600};  // a process that is stopped for so long counts as gone
constexpr std::chrono::milliseconds kLostTime{1600};     // a host whose system acknowledges nothing for so long, too

}  // namespace

/// The process, which is shared by the workers that it started.
struct WorkerProcess::Program {
  explicit Program(int id) : pid(id), descriptor(WatchOf(id)) {}
  ~Program() {
    if (descriptor >= 0) close(descriptor);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const int pid;
  const int descriptor;  // -1 if the system provides none
  std::mutex mutex;      // guards the members below: the id may be another process's once the end was taken
  std::optional<ChildResult> result;
  std::string killed_since;
  bool has_ended = false;  // for one of its workers
};

WorkerProcess::WorkerProcess(const std::vector<std::string>& argv, const std::vector<std::string>* environment,
                             const SharedMemory& page, const SharedMemory& rows, std::size_t memory) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw FileError({.file = argv.front()}, std::string("expected a local socket, found: ") + std::strerror(errno));
  }
  try {
    program_ = std::make_shared<Program>(
        SpawnChild(argv, {{ends[1], kSocketThere}, {page.Descriptor(), kPageThere}, {rows.Descriptor(), kRowsThere}},
                   memory, environment));
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  socket_ = FileDescriptor(ends[0]);
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
  program_ = std::make_shared<Program>(SpawnChild(argv, {{out.Number(), STDIN_FILENO}}, 0));
}

WorkerProcess::WorkerProcess(const WorkerProcess& first, FileDescriptor connection)
    : program_(first.program_), socket_(std::move(connection)), is_elsewhere_(true) {}

WorkerProcess::~WorkerProcess() {
  if (!end_.empty()) return;
  if (socket_.IsOpen()) shutdown(Socket(), SHUT_RDWR);  // the other side notices it and ends
  if (program_.use_count() > 1) return;
  WaitForEnd(kPatience);
  TakeEnd(false);
}

int WorkerProcess::Id() const {
  return program_->pid;
}

void WorkerProcess::Connect(FileDescriptor connection) {
  socket_ = std::move(connection);
}

bool WorkerProcess::IsStoppedForLong() {
  siginfo_t state{};
  const bool is_stopped = waitid(P_PID, static_cast<id_t>(program_->pid), &state, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
                          state.si_pid == program_->pid;
  const auto now = std::chrono::steady_clock::now();
  if (!is_stopped) stopped_since_.reset();
  if (is_stopped && !stopped_since_) stopped_since_ = now;
  return stopped_since_ && now - *stopped_since_ > kStoppedTime;
}

bool WorkerProcess::HasEnded() const {
  return openmi::HasEnded(program_->pid, program_->descriptor);
}

bool WorkerProcess::WaitForEnd(std::chrono::milliseconds longest) const {
  return openmi::WaitForEnd(program_->pid, program_->descriptor, longest);
}

bool WorkerProcess::TakeGreeting(const std::string& greeting, std::string& came) {
  came.assign(kGreetingSize, '\0');
  const auto deadline = std::chrono::steady_clock::now() + kGreetingTime;
  auto next_beat = std::chrono::steady_clock::now();
  for (std::size_t got = 0; got < came.size();) {
    if (is_elsewhere_ && std::chrono::steady_clock::now() >= next_beat) {
      SendHeartbeat(Socket());
      next_beat += Heartbeats{}.every;
    }
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
    if (SilenceOf(Socket()).acknowledgement > kLostTime) Kill("was lost: its host or the network is down");
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
  const std::lock_guard lock(program_->mutex);
  if (program_->result) return;
  program_->killed_since = why;
  kill(program_->pid, SIGKILL);
}

ChildResult WorkerProcess::Reap() {
  const std::lock_guard lock(program_->mutex);
  if (!program_->result) program_->result = EndChild(program_->pid);
  return *program_->result;
}

void WorkerProcess::AskWhere() {
  const std::lock_guard lock(program_->mutex);
  if (!program_->result && !is_elsewhere_) kill(program_->pid, SIGXCPU);
}

void WorkerProcess::TakeEnd(bool was_silent, std::chrono::nanoseconds limit) {
  if (!end_.empty()) return;
  {
    const std::lock_guard lock(program_->mutex);
    ended_first_ = !std::exchange(program_->has_ended, true);
  }
  // Its socket may be closed before it has ended; a command of several workers ends the others first.
  const std::chrono::milliseconds moment(program_.use_count() > 1 ? 2000 : is_elsewhere_ ? 500 : 200);
  const bool by_itself = !was_silent && WaitForEnd(moment);
  const ChildResult result = Reap();
  if (!program_->killed_since.empty()) {
    end_ = program_->killed_since;
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
