#include "composition/isolation/HostLauncher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "composition/channel/WorkerProgram.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

HostLauncher::HostLauncher(Placement placement) : placement_(std::move(placement)) {}

const std::string& HostLauncher::Listen() const {
  static const std::string kLoopback = "127.0.0.1";
  return placement_.listen.empty() ? kLoopback : placement_.listen;
}

std::optional<WorkerMeeting> HostLauncher::Meeting() const {
  if (!port_) return std::nullopt;
  return WorkerMeeting{Listen(), port_->Key().ForRows().Text()};
}

std::vector<std::string> HostLauncher::Words(const LaunchedGroup& group,
                                             const std::vector<std::string>& command) const {
  return LaunchWords(placement_.LauncherFor(group), group, command);
}

StartingWorker HostLauncher::Launch(const LaunchedGroup& group, const std::string& who, std::uint64_t memory,
                                    const std::vector<std::string>& words) {
  const bool is_here = group.host == kThisHost;
  if (placement_.listen.empty() && !is_here) {
    throw ArgumentError({}, fmt::format("expected the address at which '{}' reaches this host, found none", group.host),
                        "name the interface with --listen ADDRESS; no other is opened");
  }
  std::vector<std::string> command = {placement_.program, "worker"};
  if (group.ranks > 0 && is_here) {
    command = {kRankHost.Find()};
  } else if (group.ranks > 0) {
    command.emplace_back("--ranks");
  }
  if (!port_) {
    const char* given = std::getenv(WorkerKey::kVariable);
    port_ = std::make_unique<WorkerPort>(Listen(), given != nullptr ? WorkerKey::Parse(given) : WorkerKey::Make());
  }
  StartingWorker starting{group, who, nullptr};
  starting.ticket = port_->Expect({std::filesystem::current_path().string(), memory}, std::max(group.ranks, 1));
  for (const std::string& word : {std::string("--connect"), port_->Address(), std::string("--ticket"),
                                  std::to_string(starting.ticket), std::string("--key-file"), std::string("-")}) {
    command.push_back(word);
  }
  command.insert(command.end(), words.begin(), words.end());
  try {
    starting.command = std::make_unique<WorkerProcess>(Words(group, command), port_->Key().Text() + "\n");
  } catch (...) {
    GiveUp(starting);
    throw;
  }
  starting.until = std::chrono::steady_clock::now() + placement_.start_timeout;
  return starting;
}

void HostLauncher::GiveUp(const StartingWorker& starting) {
  const auto count = static_cast<std::size_t>(std::max(starting.group.ranks, 1));
  for (std::size_t rank = starting.connections.size(); rank < count; ++rank) port_->GiveUp(starting.ticket + rank);
}

std::vector<std::unique_ptr<WorkerProcess>> HostLauncher::TakeIfThere(StartingWorker& starting, bool waits) {
  WorkerProcess& command = *starting.command;
  const auto count = static_cast<std::size_t>(std::max(starting.group.ranks, 1));
  while (starting.connections.size() < count) {
    FileDescriptor connection =
        port_->Take(starting.ticket + starting.connections.size(), [&] { return std::exchange(waits, false); });
    if (!connection.IsOpen()) break;
    starting.connections.push_back(std::move(connection));
  }
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  if (starting.connections.size() == count) {
    for (std::size_t rank = 1; rank < count; ++rank) {
      workers.push_back(std::make_unique<WorkerProcess>(command, std::move(starting.connections[rank])));
    }
    command.Connect(std::move(starting.connections[0]));
    workers.insert(workers.begin(), std::move(starting.command));
    return workers;
  }
  if (command.IsStoppedForLong()) command.Kill("was stopped before it connected");
  const bool is_alive = command.IsAlive();
  if (is_alive && std::chrono::steady_clock::now() < starting.until) return workers;
  GiveUp(starting);
  command.TakeEnd(is_alive, placement_.start_timeout);
  const std::vector<std::string> trial = {starting.group.host == kThisHost ? "true" : placement_.program, "--version"};
  throw FileError({.file = starting.group.host},
                  fmt::format("expected a worker for {}, found that its command {}", starting.who, command.End()),
                  fmt::format("try the command by hand: {}{}", fmt::join(Words(starting.group, trial), " "),
                              is_alive ? "; if it only is slow, give it more time (--start-timeout)" : ""));
}

std::vector<std::unique_ptr<WorkerProcess>> HostLauncher::Await(StartingWorker& starting) {
  while (true) {
    if (auto there = TakeIfThere(starting); !there.empty()) return there;
  }
}

}  // namespace openmi
