#include "composition/isolation/HostLauncher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::seconds kStartTime{60};  // within which a worker on another host has to connect

}  // namespace

HostLauncher::HostLauncher(Placement placement) : placement_(std::move(placement)) {
  if (placement_.launcher.empty()) placement_.launcher = Placement::kSsh;
}

std::vector<std::string> HostLauncher::Words(const StartingWorker& starting, std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), placement_.program);
  return LaunchWords(placement_.launcher, starting.host, starting.group, arguments);
}

StartingWorker HostLauncher::Launch(const Wanted& wanted) {
  if (placement_.listen.empty()) {
    throw ArgumentError({},
                        fmt::format("expected the address at which '{}' reaches this host, found none", wanted.host),
                        "name the interface with --listen ADDRESS; no other is opened");
  }
  if (!port_) {
    const char* given = std::getenv(WorkerKey::kVariable);
    port_ =
        std::make_unique<WorkerPort>(placement_.listen, given != nullptr ? WorkerKey::Parse(given) : WorkerKey::Make());
  }
  StartingWorker starting{wanted.host, wanted.group, wanted.who, nullptr, 0, {}};
  starting.ticket = port_->Expect({std::filesystem::current_path().string(), wanted.memory});
  std::vector<std::string> command = {
      "worker", "--connect", port_->Address(), "--ticket", std::to_string(starting.ticket), "--key-file", "-"};
  command.insert(command.end(), wanted.words.begin(), wanted.words.end());
  try {
    starting.command = std::make_unique<WorkerProcess>(Words(starting, command), port_->Key().Text() + "\n");
  } catch (...) {
    port_->GiveUp(starting.ticket);
    throw;
  }
  starting.until = std::chrono::steady_clock::now() + kStartTime;
  return starting;
}

std::unique_ptr<WorkerProcess> HostLauncher::TakeIfThere(StartingWorker& starting, bool waits) {
  WorkerProcess& command = *starting.command;
  FileDescriptor connection = port_->Take(starting.ticket, [&] { return std::exchange(waits, false); });
  if (connection.IsOpen()) {
    command.Connect(std::move(connection));
    return std::move(starting.command);
  }
  if (command.IsStoppedForLong()) command.Kill("was stopped before it connected");
  const bool is_alive = command.IsAlive();
  if (is_alive && std::chrono::steady_clock::now() < starting.until) return nullptr;
  port_->GiveUp(starting.ticket);
  command.TakeEnd(is_alive, kStartTime);
  throw FileError({.file = starting.host},
                  fmt::format("expected a worker for {}, found that its command {}", starting.who, command.End()),
                  fmt::format("try the command by hand: {}", fmt::join(Words(starting, {"--version"}), " ")));
}

std::unique_ptr<WorkerProcess> HostLauncher::Await(StartingWorker& starting) {
  while (true) {
    if (auto there = TakeIfThere(starting)) return there;
  }
}

}  // namespace openmi
