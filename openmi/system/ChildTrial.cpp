#include "openmi/system/ChildTrial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <random>
#include <string_view>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr char kGood = 'g';
constexpr char kThrown = 't';

/// Sends the outcome; short enough for one write to a pipe.
void Report(int pipe, char outcome, std::string_view text) {
  std::string message(1, outcome);
  message += text.substr(0, 4000);
  std::string_view left = message;
  while (!left.empty()) {
    const ssize_t written = write(pipe, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

[[noreturn]] void BeTheChild(int pipe, const std::function<void()>& work) {
  // A crash is expected here, so neither handlers of the host nor a core file.
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    work();
    Report(pipe, kGood, {});
  } catch (const std::exception& error) {
    Report(pipe, kThrown, error.what());
  } catch (...) {
    Report(pipe, kThrown, "an exception that is not a std::exception");
  }
  _exit(0);
}

/// Reads until the child closes its end.
/// \returns false  if it did not within the time
bool Read(int pipe, std::string& message, std::chrono::milliseconds most) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd wait{.fd = pipe, .events = POLLIN, .revents = 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::clamp<long long>(left, 0, 1'000'000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char buffer[4096];
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    message.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

ChildTrial TryInChild(const std::function<void()>& work, std::chrono::milliseconds most) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw ModelError({}, fmt::format("expected a pipe to a child process, found none: {}", std::strerror(errno)));
  }
  const pid_t child = fork();
  if (child < 0) {
    const int reason = errno;
    close(ends[0]);
    close(ends[1]);
    throw ModelError({}, fmt::format("expected a child process, found none: {}", std::strerror(reason)));
  }
  if (child == 0) {
    close(ends[0]);
    BeTheChild(ends[1], work);
  }
  close(ends[1]);
  std::string message;
  const bool ended = Read(ends[0], message, most);
  if (!ended) kill(child, SIGKILL);
  close(ends[0]);
  int status = 0;
  pid_t waited = 0;
  do {
    waited = waitpid(child, &status, 0);
  } while (waited < 0 && errno == EINTR);
  if (!ended) return {false, fmt::format("no end within {} ms", most.count())};
  if (!message.empty() && message[0] == kGood) return {true, {}};
  if (!message.empty()) return {false, message.substr(1)};
  if (waited == child && WIFSIGNALED(status)) {
    return {false, fmt::format("a crash there ({})", strsignal(WTERMSIG(status)))};
  }
  return {false, fmt::format("an exit there, with status {}", WEXITSTATUS(status))};
}

std::int64_t NumberOfThisProcess() {
  static std::atomic<std::int64_t> number = 0;
  static std::atomic<pid_t> owner = 0;
  if (owner.load() != getpid()) {  // first call, or a child of a process that has a number
    std::random_device random;
    number =
        static_cast<std::int64_t>((std::uint64_t{random()} << 32 | random()) ^ static_cast<std::uint64_t>(getpid()));
    owner = getpid();
  }
  return number.load();
}

}  // namespace openmi
