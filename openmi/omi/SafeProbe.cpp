#include "openmi/omi/SafeProbe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

namespace {

using Clock = std::chrono::steady_clock;

// The data that a child writes to one of its outputs.
class Output {
 public:
  explicit Output(const std::string& program) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) CannotStart(program, errno);
    mine_ = FileDescriptor(ends[0]);
    childs_ = FileDescriptor(ends[1]);
    fcntl(mine_.Number(), F_SETFL, O_NONBLOCK);
  }
  int ChildsEnd() const { return childs_.Number(); }
  void CloseChildsEnd() { childs_.Close(); }
  int MyEnd() const { return mine_.Number(); }
  bool IsOpen() const { return mine_.IsOpen(); }

  // Reads the data that is available; keeps `limit` bytes and discards the rest, so that the child never waits.
  void Drain(std::string& text, std::size_t limit, bool& truncated) {
    std::array<char, 65536> block;
    while (mine_.IsOpen()) {
      const ssize_t got = read(mine_.Number(), block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0 && errno == EAGAIN) return;
      if (got <= 0) {
        mine_.Close();
        return;
      }
      const std::size_t kept = std::min(static_cast<std::size_t>(got), limit - std::min(limit, text.size()));
      text.append(block.data(), kept);
      truncated = truncated || kept < static_cast<std::size_t>(got);
      if (kept == 0) return;  // let the caller check the time: an endless writer must not block this loop
    }
  }

 private:
  FileDescriptor mine_;
  FileDescriptor childs_;
};

}  // namespace

std::string TextOfSeconds(std::chrono::nanoseconds time) {
  char text[40];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(time).count());
  return text;
}

std::string ChildResult::Sentence() const {
  if (timed_out) {
    return "did not end within " + TextOfSeconds(limit) + " and was killed";
  }
  if (!is_known) return "ended, how is not known, since this program ignores how its children end (SIGCHLD)";
  if (signal != 0) return "was killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  return "ended with exit code " + std::to_string(exit_code);
}

namespace {

ChildResult Run(const std::vector<std::string>& argv, const ChildLimits& limits, bool speech_renews) {
  if (argv.empty()) CannotStart("", EINVAL);
  auto deadline = Clock::now() + limits.time;
  Output out(argv.front());
  Output err(argv.front());
  const pid_t pid =
      SpawnChild(argv, {{out.ChildsEnd(), STDOUT_FILENO}, {err.ChildsEnd(), STDERR_FILENO}}, limits.memory);
  out.CloseChildsEnd();
  err.CloseChildsEnd();

  ChildResult result;
  result.limit = limits.time;
  auto pause = std::chrono::milliseconds(1);
  while (!HasEnded(pid, -1)) {  // it stays a zombie, so that its number remains that of its group
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      result.timed_out = true;
      break;
    }
    // A closed pipe gives no events, so after both are closed the loop polls for the child's end in growing pauses.
    pollfd pipes[2] = {{out.MyEnd(), POLLIN, 0}, {err.MyEnd(), POLLIN, 0}};
    poll(pipes, 2, static_cast<int>(std::min(left, pause).count()));
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
    const std::size_t before = result.out.size();
    out.Drain(result.out, limits.output, result.truncated);
    err.Drain(result.err, limits.output, result.truncated);
    if (speech_renews && result.out.size() > before) deadline = Clock::now() + limits.time;
  }
  const ChildResult end = EndChild(pid);
  result.exit_code = end.exit_code;
  result.signal = end.signal;
  out.Drain(result.out, limits.output, result.truncated);
  err.Drain(result.err, limits.output, result.truncated);
  return result;
}

}  // namespace

ChildResult RunInChild(const std::vector<std::string>& argv, const ChildLimits& limits) {
  return Run(argv, limits, false);
}

ChildResult RunWhileItSpeaks(const std::vector<std::string>& argv, const ChildLimits& limits) {
  return Run(argv, limits, true);
}

}  // namespace openmi
