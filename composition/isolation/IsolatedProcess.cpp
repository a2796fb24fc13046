#include "composition/isolation/IsolatedProcess.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "composition/channel/Greeting.hpp"
#include "composition/isolation/Protocol.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr char kProgram[] = "openmi-component-host";
constexpr char kVariable[] = "OPENMI_COMPONENT_HOST";
constexpr std::chrono::seconds kPatience{2};         // with a process that was let go
constexpr std::chrono::seconds kGreetingTime{30};    // a program has to start within
constexpr std::chrono::seconds kDestroyingTime{10};  // a component without a time limit has to be destroyed within

std::atomic<unsigned> running{0};

/// Beside the runtime's library as it is installed, or where the variable says.
std::string FindProgram() {
  if (const char* named = std::getenv(kVariable); named != nullptr && *named != '\0') return named;
  std::vector<std::filesystem::path> places;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&FindProgram), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    const auto folder = std::filesystem::canonical(info.dli_fname, error).parent_path();
    places = {folder / ".." / "bin" / kProgram, folder / kProgram, folder / ".." / ".." / "bin" / kProgram};
  }
  for (const auto& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place.lexically_normal().string();
  }
  throw FileError({.file = kProgram},
                  "expected the program that holds components in a process of their own, found none beside the runtime",
                  fmt::format("install it, or name it in the environment variable {}", kVariable));
}

}  // namespace

int IsolatedProcess::Spins() {
  return running.load() < std::thread::hardware_concurrency() ? 4000 : 0;
}

std::shared_ptr<IsolatedProcess> IsolatedProcess::Start(const IsolationLimits& limits) {
  const std::string program = FindProgram();
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  SharedMemory rows = SharedMemory::Create();
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw FileError({.file = program}, fmt::format("expected a local socket, found: {}", std::strerror(errno)));
  }
  pid_t pid = -1;
  try {
    pid = SpawnChild({program}, {{ends[1], 3}, {page.Descriptor(), 4}, {rows.Descriptor(), 5}}, limits.memory);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
  const int pid_descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));  // glibc 2.36 declares it as C++
  ++running;
  try {
    return std::shared_ptr<IsolatedProcess>(
        new IsolatedProcess(pid, ends[0], pid_descriptor, std::move(page), std::move(rows), limits, program));
  } catch (...) {
    close(ends[0]);
    if (pid_descriptor >= 0) close(pid_descriptor);
    EndChild(pid);
    --running;
    throw;
  }
}

IsolatedProcess::IsolatedProcess(int pid, int socket, int pid_descriptor, SharedMemory page, SharedMemory rows,
                                 const IsolationLimits& limits, std::string program)
    : pid_(pid),
      socket_(socket),
      pid_descriptor_(pid_descriptor),
      program_(std::move(program)),
      limits_(limits),
      window_(std::move(rows)),
      channel_(
          Side::Parent, std::move(page), socket,
          [this](std::span<const std::byte> request, StateWriter& reply) {
            StateReader reader(request);
            const std::int64_t kind = reader.ReadInteger();
            const auto server = servers_.find(reader.ReadInteger());
            if (server == servers_.end()) throw RangeError({}, "expected a request of a component, found another");
            ++asked_back_;
            server->second(kind, reader, reply);
          },
          [this] { return IsAlive(); }) {
  channel_.SetTimeLimit(limits.time);
  channel_.SetSpins(Spins());
}

IsolatedProcess::~IsolatedProcess() {
  if (end_.empty()) {
    shutdown(socket_, SHUT_RDWR);  // the other side sees it and ends
    WaitForEnd(kPatience);
    TakeEnd(false);
  }
  close(socket_);
  if (pid_descriptor_ >= 0) close(pid_descriptor_);
}

bool IsolatedProcess::HasEnded() const {
  if (pid_descriptor_ >= 0) {
    pollfd state{pid_descriptor_, POLLIN, 0};
    return poll(&state, 1, 0) > 0;
  }
  // No descriptor left, or a system without such: the end is seen, and left to be taken. Where nothing is kept of
  // children that ended, there is none of that number.
  siginfo_t end{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) == 0) return end.si_pid == pid_;
  return errno == ECHILD;
}

bool IsolatedProcess::WaitForEnd(std::chrono::milliseconds longest) const {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!HasEnded()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    pollfd state{pid_descriptor_, POLLIN, 0};
    poll(&state, 1, pid_descriptor_ >= 0 ? 50 : 1);
  }
  return true;
}

bool IsolatedProcess::IsAlive() const {
  return end_.empty() && !HasEnded();
}

std::int64_t IsolatedProcess::AddInstance(Server server) {
  const auto lock = Lock();
  servers_[next_instance_] = std::move(server);
  return next_instance_++;
}

void IsolatedProcess::RemoveInstance(std::int64_t instance) {
  const auto lock = Lock();
  servers_.erase(instance);
  if (!IsAlive()) return;
  StateWriter request;
  request.Write(static_cast<std::int64_t>(HostRequest::Drop));
  request.Write(instance);
  const bool has_limit = limits_.time.count() > 0;
  if (!has_limit) limits_.time = kDestroyingTime;
  channel_.SetTimeLimit(limits_.time);
  try {
    Call(request);
  } catch (...) {  // NOLINT(bugprone-empty-catch): it is let go either way
  }
  if (has_limit) return;
  limits_.time = {};
  channel_.SetTimeLimit(limits_.time);
}

void IsolatedProcess::TakeGreeting() {
  const std::string ours = GreetingText();
  std::string theirs(kGreetingSize, '\0');
  const auto deadline = std::chrono::steady_clock::now() + kGreetingTime;
  for (std::size_t got = 0; got < theirs.size();) {
    const ssize_t count = recv(socket_, theirs.data() + got, theirs.size() - got, MSG_DONTWAIT);
    if (count > 0) {
      got += static_cast<std::size_t>(count);
      continue;
    }
    if (count == 0) throw Channel::PeerGone{};
    pollfd ready{socket_, POLLIN, 0};
    if (poll(&ready, 1, 20) > 0) continue;
    if (HasEnded()) throw Channel::PeerGone{};
    if (std::chrono::steady_clock::now() > deadline) break;
  }
  is_greeted_ = true;
  if (theirs == ours) return;
  theirs = theirs.substr(0, theirs.find_first_of(std::string_view("\0\n", 2)));
  if (!theirs.starts_with(kGreetingMark)) theirs = "something else";
  EndChild(pid_);
  --running;
  end_ = "is a program of another build";
  throw FileError({.file = program_},
                  fmt::format("expected the program of this build ({}), found {}", ours.c_str(), theirs),
                  fmt::format("install the programs and libraries of one build together, or correct {}", kVariable));
}

template <class Talk>
auto IsolatedProcess::Talking(Talk&& talk) {
  bool was_silent = false;
  if (end_.empty()) {
    try {
      if (!is_greeted_) TakeGreeting();
      return talk();
    } catch (const Channel::PeerGone&) {
    } catch (const Channel::PeerSilent&) {
      was_silent = true;
    }
    TakeEnd(was_silent);
  }
  throw ModelError({}, fmt::format("expected the component's own process to answer, found that it {}", end_),
                   "correct the component; its last values stay");
}

StateReader IsolatedProcess::Call(const StateWriter& request) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  return Talking([&] { return StateReader(channel_.Call(request.Bytes())); });
}

void IsolatedProcess::Post(const StateWriter& request, std::function<void()> take_reply) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  Talking([&] { channel_.Post(request.Bytes()); });
  take_reply_ = std::move(take_reply);
}

StateReader IsolatedProcess::TakeReply() {
  take_reply_ = nullptr;
  return Talking([this] { return StateReader(channel_.Await()); });
}

std::size_t IsolatedProcess::WaitForAny(std::span<IsolatedProcess* const> posted) {
  constexpr std::chrono::milliseconds kSlice{20};
  std::vector<Doorbell::Awaited> bells;
  for (const IsolatedProcess* process : posted) bells.push_back(process->channel_.NextLetter());
  while (true) {
    const auto rung = std::ranges::find_if(bells, &Doorbell::Awaited::HasRung);
    if (rung != bells.end()) return static_cast<std::size_t>(rung - bells.begin());
    for (std::size_t i = 0; i < posted.size(); ++i) {
      if (!posted[i]->IsPosted() || !posted[i]->IsAlive() || posted[i]->channel_.IsLate()) return i;
    }
    Doorbell::WaitForAny(bells, kSlice);
  }
}

void IsolatedProcess::TakeEnd(bool was_silent) {
  if (!end_.empty()) return;
  constexpr std::chrono::milliseconds kMoment{200};
  const bool by_itself = !was_silent && WaitForEnd(kMoment);  // its socket may be closed before it has ended
  const ChildResult result = EndChild(pid_);
  --running;
  if (was_silent) {
    end_ =
        fmt::format("did not answer within {} s and was killed", std::chrono::duration<double>(limits_.time).count());
  } else if (by_itself || result.signal != SIGKILL) {
    end_ = result.Sentence();
  } else {
    end_ = "broke the form of its letters and was killed";
  }
}

}  // namespace openmi
