#include "composition/isolation/IsolatedProcess.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "composition/isolation/Protocol.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr char kProgram[] = "openmi-component-host";
constexpr char kVariable[] = "OPENMI_COMPONENT_HOST";
constexpr std::chrono::seconds kPatience{2};  // with a process that was let go

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

bool HasEnded(int pid_descriptor) {
  pollfd state{pid_descriptor, POLLIN, 0};
  return poll(&state, 1, 0) > 0;
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
  return std::shared_ptr<IsolatedProcess>(
      new IsolatedProcess(pid, ends[0], pid_descriptor, std::move(page), std::move(rows), limits));
}

IsolatedProcess::IsolatedProcess(int pid, int socket, int pid_descriptor, SharedMemory page, SharedMemory rows,
                                 const IsolationLimits& limits)
    : pid_(pid),
      socket_(socket),
      pid_descriptor_(pid_descriptor),
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
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (!HasEnded(pid_descriptor_) && std::chrono::steady_clock::now() < deadline) {
      pollfd state{pid_descriptor_, POLLIN, 0};
      poll(&state, 1, 50);
    }
    TakeEnd(false);
  }
  close(socket_);
  close(pid_descriptor_);
}

bool IsolatedProcess::IsAlive() const {
  return end_.empty() && !HasEnded(pid_descriptor_);
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
  try {
    channel_.Call(request.Bytes());
  } catch (...) {  // NOLINT(bugprone-empty-catch): it is let go either way
  }
}

StateReader IsolatedProcess::Call(const StateWriter& request) {
  bool was_silent = false;
  if (end_.empty()) {
    try {
      return StateReader(channel_.Call(request.Bytes()));
    } catch (const Channel::PeerGone&) {
    } catch (const Channel::PeerSilent&) {
      was_silent = true;
    }
    TakeEnd(was_silent);
  }
  throw ModelError({}, fmt::format("expected the component's own process to answer, found that it {}", end_),
                   "correct the component; its last values stay");
}

void IsolatedProcess::TakeEnd(bool was_silent) {
  if (!end_.empty()) return;
  pollfd state{pid_descriptor_, POLLIN, 0};
  const bool by_itself = !was_silent && poll(&state, 1, 200) > 0;  // its socket may be closed before it has ended
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
