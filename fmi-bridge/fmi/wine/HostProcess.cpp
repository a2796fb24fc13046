#include "fmi-bridge/fmi/wine/HostProcess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "composition/channel/WorkerProgram.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/ChildTrial.hpp"

namespace openmi::fmi::wine {
namespace fs = std::filesystem;
namespace {

constexpr int kSpins = 200;                       // polls before sleeping, about 100 us, if there is more than one core
constexpr std::chrono::milliseconds kEnd{2'000};  // for a host whose connection was closed

using Time = std::chrono::steady_clock::time_point;

std::chrono::milliseconds TimeUntil(Time deadline) {
  return std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
}

constexpr WorkerProgram kHost{"openmi-windows-host.exe", "OPENMI_WINDOWS_HOST",
                              "the program that holds FMUs for Windows",
                              "build with -DOPENMI_WITH_WINE=ON (g++-mingw-w64-x86-64-posix)"};

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Wine's program on PATH, or where Debian's package wine64 has it; empty if there is none.
std::string FindWine() {
  std::vector<fs::path> places;
  const std::string path = Variable("PATH");
  for (const char* name : {"wine64", "wine", "wine-stable"}) {
    for (std::size_t begin = 0; begin <= path.size();) {
      const std::size_t end = std::min(path.find(':', begin), path.size());
      if (end > begin) places.push_back(fs::path(path.substr(begin, end - begin)) / name);
      begin = end + 1;
    }
  }
  places.emplace_back("/usr/lib/wine/wine64");
  for (const fs::path& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place.string();
  }
  return {};
}

/// The environment for Wine.
std::vector<std::string> Environment() {
  std::vector<std::string> all;
  std::string overrides = "WINEDLLOVERRIDES=mscoree,mshtml,winemenubuilder.exe=";
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view entry(*one);
    constexpr std::string_view kOverrides = "WINEDLLOVERRIDES=";
    if (entry.starts_with(kOverrides)) {
      overrides += ";" + std::string(entry.substr(kOverrides.size()));
    } else if (entry != "WINEDEBUG=") {
      all.emplace_back(entry);
    }
  }
  all.push_back(std::move(overrides));
  if (Variable("WINEDEBUG").empty()) all.emplace_back("WINEDEBUG=-all");
  return all;
}

/// Checks that Wine can make or use its prefix, as far as that is known.
/// \throws LoadError  it cannot
void CheckPrefix(const std::string& wine) {
  std::error_code error;
  if (const std::string prefix = Variable("WINEPREFIX"); !prefix.empty()) {
    const fs::path folder(prefix);
    if (folder.is_absolute() && (fs::is_directory(folder, error) || fs::is_directory(folder.parent_path(), error))) {
      return;
    }
    throw LoadError(
        {.file = wine},
        fmt::format("expected a folder for Wine's prefix in WINEPREFIX, with an absolute path, found '{}'", prefix),
        "set WINEPREFIX to a folder of yours, or remove it: ~/.wine is taken then");
  }
  const std::string home = Variable("HOME");
  if (!home.empty() && fs::is_directory(home, error)) return;
  throw LoadError({.file = wine},
                  fmt::format("expected a home folder for Wine's prefix, found {}",
                              home.empty() ? "no HOME" : "that '" + home + "' does not exist"),
                  "set HOME, or WINEPREFIX to a folder of yours");
}

/// Starts Wine's services with a host that gets no letters and ends. They keep the outputs of the process that starts
/// them open: with those of a run, a pipeline would wait for the services after the end of the run. What Wine prints on
/// the standard error is kept where the user asked for it (WINEDEBUG).
/// \returns whether the host ended in time
bool StartServices(const std::vector<std::string>& argv, const std::vector<std::string>& environment, Time deadline) {
  const FileDescriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!nothing.IsOpen()) {
    throw FileError({.file = "/dev/null"}, std::string("expected a file to write to, found: ") + std::strerror(errno));
  }
  std::vector<std::pair<int, int>> outputs{{nothing.Number(), STDOUT_FILENO}};
  if (Variable("WINEDEBUG").empty()) outputs.emplace_back(nothing.Number(), STDERR_FILENO);
  const pid_t pid = SpawnChild(argv, outputs, 0, &environment);
  const FileDescriptor watch(WatchOf(pid));
  const bool has_ended = WaitForEnd(pid, watch.Number(), TimeUntil(deadline));
  EndChild(pid);
  return has_ended;
}

/// What the hosts of this process hold as long as they live. Wine's services end some seconds after its last program,
/// so the first of them starts the services. \returns null if they did not start in time
std::shared_ptr<const void> HoldServices(const std::vector<std::string>& argv,
                                         const std::vector<std::string>& environment, Time deadline) {
  static std::mutex mutex;
  static std::weak_ptr<const void> held;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const void> services = held.lock();
  if (services == nullptr && StartServices(argv, environment, deadline)) held = services = std::make_shared<char>();
  return services;
}

/// A host that is no program for Windows is started as it is.
bool NeedsWine(const std::string& host) {
  return host.ends_with(".exe");
}

}  // namespace

std::string WhatIsMissing() {
  std::string host;
  std::string missing;
  try {
    host = kHost.Find();
  } catch (const FileError& error) {
    missing = error.Remedy();
  }
  if (!host.empty() && !NeedsWine(host)) return {};
  if (FindWine().empty()) missing = "install Wine (wine64)" + (missing.empty() ? "" : " and " + missing);
  return missing;
}

std::string WhatTakesLong() {
  const std::string given = Variable("WINEPREFIX");
  const fs::path prefix = given.empty() ? fs::path(Variable("HOME")) / ".wine" : fs::path(given);
  std::error_code error;
  if (!NeedsWine(kHost.Find()) || fs::exists(prefix / "system.reg", error)) return {};
  return fmt::format("Wine prepares the folder {} first, which may take a minute", prefix.string());
}

HostProcess::HostProcess(std::chrono::milliseconds limit)
    : maker_(getpid()),
      deadline_(std::chrono::steady_clock::now() + limit),
      late_("start within " + TextOfSeconds(limit)) {
  const std::string host = kHost.Find();
  std::vector<std::string> argv{host, std::to_string(getpid())};
  const std::vector<std::string> environment = Environment();
  if (NeedsWine(host)) {
    const std::string wine = FindWine();
    if (wine.empty()) throw LoadError({.file = host}, "expected Wine to run it, found none on PATH", WhatIsMissing());
    CheckPrefix(wine);
    argv.insert(argv.begin(), wine);
    services_ = HoldServices(argv, environment, *deadline_);
    if (services_ == nullptr) {
      throw LoadError({.file = wine},
                      "expected Wine to run a program, found that it did not " + late_ + " and was killed",
                      "run again with WINEDEBUG=err+all to see what Wine says");
    }
  }
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw FileError({.file = host}, std::string("expected a local socket, found: ") + std::strerror(errno));
  }
  socket_ = FileDescriptor(ends[0]);
  const FileDescriptor theirs(ends[1]);
  pid_ = SpawnChild(argv, {{ends[1], STDIN_FILENO}, {ends[1], STDOUT_FILENO}}, 0, &environment);
  watch_ = FileDescriptor(WatchOf(pid_));
  spins_.Allow(std::thread::hardware_concurrency() > 1 ? kSpins : 0);
}

HostProcess::~HostProcess() {
  if (pid_ < 0 || !end_.empty() || !IsOfThisProcess()) return;
  shutdown(socket_.Number(), SHUT_RDWR);
  WaitForEnd(pid_, watch_.Number(), kEnd);
  EndChild(pid_);
}

void HostProcess::LimitAnswers(std::optional<std::chrono::milliseconds> limit) {
  deadline_.reset();
  if (!limit) return;
  deadline_ = std::chrono::steady_clock::now() + *limit;
  late_ = "answer within " + TextOfSeconds(*limit);
}

bool HostProcess::IsOfThisProcess() const {
  return getpid() == maker_;
}

// Wine's server holds the socket too, so that the end of the process alone does not close it.
bool HostProcess::WaitFor(short events) {
  constexpr std::chrono::milliseconds kLook{50};
  const bool is_watched = watch_.IsOpen();
  while (true) {
    std::chrono::milliseconds most(-1);
    if (deadline_) {
      most = TimeUntil(*deadline_);
      is_late_ = most.count() <= 0;
      if (is_late_) return false;
    }
    if (!is_watched) most = deadline_ ? std::min(most, kLook) : kLook;
    std::array<pollfd, 2> states{pollfd{socket_.Number(), events, 0}, pollfd{watch_.Number(), POLLIN, 0}};
    const int ready = poll(states.data(), states.size(), static_cast<int>(most.count()));
    const bool has_ended = is_watched ? ready > 0 && states[1].revents != 0 : HasEnded(pid_, -1);
    if (ready > 0 || has_ended) return has_ended;
  }
}

bool HostProcess::Write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket_.Number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN) || WaitFor(POLLOUT) || is_late_) {
      return false;
    }
  }
  return true;
}

std::size_t HostProcess::Read(std::byte* bytes, std::size_t size) {
  const auto receive = [&] { return recv(socket_.Number(), bytes, size, MSG_DONTWAIT); };
  if (const int spins = is_closed_ ? 0 : spins_.Next(); spins > 0) {
    const auto begin = std::chrono::steady_clock::now();
    ssize_t count = -1;
    for (int i = 0; i < spins && count < 0; ++i) count = receive();
    spins_.Note(count > 0, std::chrono::steady_clock::now() - begin);
    if (count > 0) return static_cast<std::size_t>(count);
  }
  while (!is_closed_ && !is_late_) {
    const bool has_ended = WaitFor(POLLIN);
    if (is_late_) break;
    const ssize_t count = receive();
    if (count > 0) return static_cast<std::size_t>(count);
    is_closed_ = count == 0 || has_ended || (errno != EINTR && errno != EAGAIN);
  }
  return 0;
}

const std::string& HostProcess::End() {
  if (!end_.empty()) return end_;
  if (!IsOfThisProcess()) return end_ = std::string(kServesNoCopy);
  const bool by_itself = is_closed_ && WaitForEnd(pid_, watch_.Number(), kEnd);
  const ChildResult result = EndChild(pid_);
  services_.reset();
  end_ = is_late_    ? "did not " + late_ + " and was killed"
         : by_itself ? result.Sentence()
                     : "sent an invalid message and was killed";
  return end_;
}

}  // namespace openmi::fmi::wine
