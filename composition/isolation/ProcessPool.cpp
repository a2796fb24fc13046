#include "composition/isolation/ProcessPool.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::seconds kStartTime{60};  // within which a worker on another host has to connect

/// What the components of one process have in common; components with different limits do not share a process.
std::string KeyOf(const OmiFile& omi, const IsolationSpec& apart) {
  const std::string found = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
  std::error_code error;
  const std::string real = std::filesystem::canonical(found, error).string();
  return (error ? found : real) + '\n' + std::to_string(apart.time_limit_seconds) + '\n' +
         std::to_string(apart.memory_limit_bytes);
}

}  // namespace

IsolationLimits LimitsOf(const IsolationSpec& apart) {
  IsolationLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(apart.time_limit_seconds * 1000.0));
  limits.memory = apart.memory_limit_bytes;
  return limits;
}

void ProcessPool::Place(const std::vector<PlacedGroup>& groups) {
  for (const PlacedGroup& group : groups) groups_[group.id] = group;
  try {
    for (const PlacedGroup& group : groups) {
      if (group.host != kThisHost) starting_[group.id] = Launch(group);
    }
  } catch (...) {
    groups_.clear();
    starting_.clear();
    throw;
  }
}

const PlacedGroup* ProcessPool::FindGroup(const IsolationSpec& apart) const {
  const auto found = groups_.find(apart.group);
  return found != groups_.end() ? &found->second : nullptr;
}

ProcessPool::Starting ProcessPool::Launch(const PlacedGroup& group) {
  const bool is_here = group.host == kThisHost;
  if (placement_.listen.empty() && !is_here) {
    throw ArgumentError({}, fmt::format("expected the address at which '{}' reaches this host, found none", group.host),
                        "name the interface with --listen ADDRESS; no other is opened");
  }
  if (!port_) {
    const char* given = std::getenv(WorkerKey::kVariable);
    port_ = std::make_unique<WorkerPort>(placement_.listen.empty() ? "127.0.0.1" : placement_.listen,
                                         given != nullptr ? WorkerKey::Parse(given) : WorkerKey::Make());
  }
  std::vector<std::string> command = {placement_.program, "worker"};
  if (group.ranks > 0 && is_here) {
    command = {IsolatedProcess::FindRankProgram()};
  } else if (group.ranks > 0) {
    command.emplace_back("--ranks");
  }
  const WorkerWelcome welcome{std::filesystem::current_path().string(), group.limits.memory};
  Starting starting;
  starting.ticket = port_->Expect(welcome, std::max(group.ranks, 1));
  for (const std::string& word : {std::string("--connect"), port_->Address(), std::string("--ticket"),
                                  std::to_string(starting.ticket), std::string("--key-file"), std::string("-")}) {
    command.push_back(word);
  }
  starting.command = std::make_unique<WorkerProcess>(LaunchWords(placement_.LauncherFor(group), group, command),
                                                     port_->Key().Text() + "\n");
  return starting;
}

std::vector<std::shared_ptr<IsolatedProcess>> ProcessPool::Await(const PlacedGroup& group, Starting starting) {
  const std::string whole = group.id.empty()
                                ? fmt::format("'{}' on {}", group.members, group.host)
                                : fmt::format("group '{}' ({}) on {}", group.id, group.members, group.host);
  const auto until = std::chrono::steady_clock::now() + kStartTime;
  const int count = std::max(group.ranks, 1);
  std::vector<FileDescriptor> connections;
  for (int rank = 0; rank < count; ++rank) {
    const std::uint64_t ticket = starting.ticket + static_cast<std::uint64_t>(rank);
    connections.push_back(
        port_->Take(ticket, [&] { return starting.command->IsAlive() && std::chrono::steady_clock::now() < until; }));
    if (connections.back().IsOpen()) continue;
    for (int left = rank; left < count; ++left) port_->GiveUp(starting.ticket + static_cast<std::uint64_t>(left));
    const bool was_silent = starting.command->IsAlive();
    starting.command->TakeEnd(was_silent, kStartTime);
    const std::vector<std::string> trial = {group.host == kThisHost ? "true" : placement_.program, "--version"};
    throw FileError({.file = group.host},
                    fmt::format("expected a worker for {}, found that its command {}", whole, starting.command->End()),
                    fmt::format("try the command by hand: {}",
                                fmt::join(LaunchWords(placement_.LauncherFor(group), group, trial), " ")));
  }
  std::vector<std::shared_ptr<IsolatedProcess>> processes;
  std::vector<std::unique_ptr<WorkerProcess>> workers;
  for (std::size_t rank = 1; rank < connections.size(); ++rank) {
    workers.push_back(std::make_unique<WorkerProcess>(*starting.command, std::move(connections[rank])));
  }
  starting.command->Connect(std::move(connections[0]));
  workers.insert(workers.begin(), std::move(starting.command));
  for (std::size_t rank = 0; rank < workers.size(); ++rank) {
    const std::string who = group.ranks > 0 ? fmt::format("rank {} of {} of {}", rank, group.ranks, whole) : whole;
    processes.push_back(IsolatedProcess::Join(std::move(workers[rank]), who, group.limits));
  }
  return processes;
}

std::vector<std::shared_ptr<IsolatedProcess>> ProcessPool::StartRanks(const std::string& component,
                                                                      const IsolationSpec& apart) {
  const std::lock_guard lock(mutex_);
  PlacedGroup group;
  const auto host = placement_.hosts.find(apart.group);
  group.id = apart.group;
  group.host = host != placement_.hosts.end() ? host->second : kThisHost;
  group.ranks = apart.ranks;
  group.members = component;
  group.limits = LimitsOf(apart);
  std::vector<std::shared_ptr<IsolatedProcess>> processes = Await(group, Launch(group));
  std::erase_if(all_, [](const auto& one) { return one.expired(); });
  all_.insert(all_.end(), processes.begin(), processes.end());
  return processes;
}

std::shared_ptr<IsolatedProcess> ProcessPool::Start(const IsolationSpec& apart) {
  const PlacedGroup* group = FindGroup(apart);
  if (group == nullptr || group->host == kThisHost) return IsolatedProcess::Start(LimitsOf(apart));
  if (unusable_.contains(group->id)) {
    throw FileError({}, fmt::format("expected the worker of group '{}', found that it did not start", group->id));
  }
  try {
    const auto started = starting_.find(group->id);
    Starting starting = started == starting_.end() ? Launch(*group) : std::move(started->second);
    starting_.erase(group->id);
    return Await(*group, std::move(starting)).front();
  } catch (const Error&) {
    unusable_.insert(group->id);
    throw;
  }
}

std::shared_ptr<IsolatedProcess> ProcessPool::ProcessFor(const OmiFile& omi, const IsolationSpec& apart) {
  const std::lock_guard lock(mutex_);
  const bool is_placed = FindGroup(apart) != nullptr;
  std::weak_ptr<IsolatedProcess> alone;
  std::weak_ptr<IsolatedProcess>& shared = apart.isolation != Isolation::Process ? alone
                                           : is_placed                           ? by_group_[apart.group]
                                                                                 : by_library_[KeyOf(omi, apart)];
  std::shared_ptr<IsolatedProcess> process = shared.lock();
  if (!process || !process->IsAlive()) {
    process = Start(apart);
    std::erase_if(all_, [](const auto& one) { return one.expired(); });
    all_.push_back(process);
    shared = process;
  }
  return process;
}

void ProcessPool::EndLate(const std::string& why) {
  std::vector<std::shared_ptr<IsolatedProcess>> there;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& one : all_) {
      if (std::shared_ptr<IsolatedProcess> process = one.lock()) there.push_back(std::move(process));
    }
  }
  for (const auto& process : there) process->EndIfLate(why);
}

LoadedComponent ProcessPool::Load(const OmiFile& omi, const IsolationSpec& apart, Problems* problems) {
  try {
    if (omi.assembly.empty()) {
      throw LoadError({.file = omi.path.string(), .line = omi.line},
                      "expected a component in a library, found one of this program itself",
                      "only components in libraries can run in another process");
    }
    return LoadIsolated(ProcessFor(omi, apart), omi, problems);
  } catch (const Error& error) {
    if (problems == nullptr) throw;
    AddError(*problems, error.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

}  // namespace openmi
