#include "openmi/omi/Spawn.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "openmi/sdk/Error.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {
namespace {

struct FileActions {
  posix_spawn_file_actions_t actions;
  FileActions() { posix_spawn_file_actions_init(&actions); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
};

struct Attributes {
  posix_spawnattr_t attributes;
  Attributes() { posix_spawnattr_init(&attributes); }
  ~Attributes() { posix_spawnattr_destroy(&attributes); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
};

constexpr int kAbove = 64;  // all numbers that a child receives

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

void CannotStart(const std::string& program, int error) {
  throw FileError({.file = program},
                  std::string("expected a program that can be started, found: ") + std::strerror(error),
                  "check its path and whether it may be executed");
}

pid_t SpawnChild(const std::vector<std::string>& argv, const std::vector<std::pair<int, int>>& descriptors,
                 std::size_t memory, const std::vector<std::string>* environment) {
  if (argv.empty()) CannotStart("", EINVAL);
  std::vector<FileDescriptor> copies;  // so that none is overwritten before it is passed on
  FileActions files;
  int last = STDERR_FILENO;
  posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const auto& [ours, theirs] : descriptors) {
    copies.emplace_back(fcntl(ours, F_DUPFD_CLOEXEC, kAbove));
    if (!copies.back().IsOpen()) CannotStart(argv.front(), errno);
    posix_spawn_file_actions_adddup2(&files.actions, copies.back().Number(), theirs);
    last = std::max(last, theirs);
  }
  posix_spawn_file_actions_addclosefrom_np(&files.actions, last + 1);

  Attributes child;
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&child.attributes, &none);
  posix_spawnattr_setsigdefault(&child.attributes, &all);
  posix_spawnattr_setpgroup(&child.attributes, 0);
  posix_spawnattr_setflags(&child.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

  const std::vector<char*> words = Pointers(argv);
  const std::vector<char*> variables = environment != nullptr ? Pointers(*environment) : std::vector<char*>();
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, words[0], &files.actions, &child.attributes, words.data(),
                                 environment != nullptr ? variables.data() : environ);
  if (error != 0) CannotStart(argv.front(), error);
  const rlimit no_core{0, 0};
  prlimit(pid, RLIMIT_CORE, &no_core, nullptr);
  if (memory > 0) {
    const rlimit space{memory, memory};
    prlimit(pid, RLIMIT_AS, &space, nullptr);
  }
  return pid;
}

int WatchOf(pid_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));  // glibc 2.36 declares it with C++ linkage
}

bool HasEnded(pid_t pid, int watch) {
  if (watch >= 0) {
    pollfd state{watch, POLLIN, 0};
    return poll(&state, 1, 0) > 0;
  }
  // No descriptor is left, or the system does not support them: check for the end without taking the result. If the
  // system keeps no result of ended children, no process with that id exists.
  siginfo_t end{};
  if (waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0) return end.si_pid == pid;
  return errno == ECHILD;
}

bool WaitForEnd(pid_t pid, int watch, std::chrono::milliseconds longest) {
  const auto deadline = std::chrono::steady_clock::now() + longest;
  while (!HasEnded(pid, watch)) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    pollfd state{watch, POLLIN, 0};
    poll(&state, 1, watch >= 0 ? 50 : 1);
  }
  return true;
}

ChildResult EndChild(pid_t pid) {
  kill(-pid, SIGKILL);  // the whole group: a child of the child would keep pipes open
  ChildResult result;
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid, &status, 0);
  } while (ended < 0 && errno == EINTR);
  result.is_known = ended == pid;
  if (ended == pid && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (ended == pid && WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace openmi
