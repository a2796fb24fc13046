#include "composition/isolation/ProcessPool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// What the components of one process have in common; components with different limits do not share a process.
std::string KeyOf(const OmiFile& omi, const IsolationSpec& apart) {
  const std::string found = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
  std::error_code error;
  const std::string real = std::filesystem::canonical(found, error).string();
  return (error ? found : real) + '\n' + std::to_string(apart.time_limit_seconds) + '\n' +
         std::to_string(apart.memory_limit_bytes);
}

/// For messages.
std::string NameOf(const PlacedGroup& group) {
  return group.id.empty() ? fmt::format("'{}' on {}", group.members, group.host)
                          : fmt::format("group '{}' ({}) on {}", group.id, group.members, group.host);
}

}  // namespace

IsolationLimits LimitsOf(const IsolationSpec& apart) {
  IsolationLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(apart.time_limit_seconds * 1000.0));
  limits.memory = apart.memory_limit_bytes;
  return limits;
}

void ProcessPool::Place(const std::vector<PlacedGroup>& groups) {
  for (const PlacedGroup& group : groups) {
    groups_[group.id] = group;
    const auto record = RecordFor("group " + group.id, group.id);  // in their order, whichever starts first
    record->figures.name = record->figures.group = group.id;
    record->figures.placed = group.host;
    record->figures.components = group.members;
    record->has_ended = true;
  }
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

HostLauncher& ProcessPool::Launcher() {
  if (!launcher_) launcher_ = std::make_unique<HostLauncher>(placement_);
  return *launcher_;
}

StartingWorker ProcessPool::Launch(const PlacedGroup& group) {
  return Launcher().Launch(group, NameOf(group), group.limits.memory);
}

void ProcessPool::IntroduceToOthers(IsolatedProcess& process) const {
  if (!launcher_) return;
  if (auto meeting = launcher_->Meeting()) process.Paths().SetMeeting(std::move(*meeting));
}

std::shared_ptr<WorkerRecord> ProcessPool::RecordFor(const std::string& key, const std::string& party) {
  const auto found =
      std::ranges::find_if(records_, [&key](const auto& one) { return one->has_ended && one->figures.key == key; });
  if (found != records_.end()) {
    (*found)->has_ended = false;
    (*found)->figures.lost_after.reset();  // the loss was made good
    (*found)->figures.lost_at.reset();
    return *found;
  }
  auto record = std::make_shared<WorkerRecord>(times_, party.empty() ? fmt::format("{}", records_.size()) : party);
  record->figures.key = key;
  records_.push_back(record);
  return record;
}

std::string ProcessPool::HostOf(const std::string& component, const std::string& group) const {
  if (const auto ranks = rank_hosts_.find(component); ranks != rank_hosts_.end()) return ranks->second;
  const auto found = groups_.find(group);
  return found != groups_.end() ? found->second.host : std::string();
}

std::vector<std::shared_ptr<IsolatedProcess>> ProcessPool::StartRanks(const std::string& component,
                                                                      const IsolationSpec& apart) {
  const std::lock_guard lock(mutex_);
  PlacedGroup group;
  const auto host = rank_hosts_.find(component);
  group.id = apart.group;
  group.host = host != rank_hosts_.end() ? host->second : kThisHost;
  group.ranks = apart.ranks;
  group.members = component;
  group.limits = LimitsOf(apart);
  std::vector<std::shared_ptr<IsolatedProcess>> processes;
  try {
    StartingWorker starting = Launch(group);
    for (auto& worker : launcher_->Await(starting)) {
      const std::string who = fmt::format("rank {} of {} of {}", processes.size(), group.ranks, starting.who);
      const std::string name = fmt::format("{}, rank {}", component, processes.size());
      processes.push_back(IsolatedProcess::Join(std::move(worker), who, group.limits, has_lost_worker_));
      auto record = RecordFor("rank " + name, component);
      record->figures.name = name;
      record->figures.group = apart.group;
      record->figures.placed = group.host;
      record->figures.components = component;
      processes.back()->SetRecord(std::move(record));
    }
  } catch (const FileError&) {
    *has_lost_worker_ = *has_lost_worker_ || group.host != kThisHost;
    throw;
  }
  std::erase_if(all_, [](const auto& one) { return one.expired(); });
  all_.insert(all_.end(), processes.begin(), processes.end());
  return processes;
}

std::shared_ptr<IsolatedProcess> ProcessPool::Start(const IsolationSpec& apart) {
  const PlacedGroup* group = FindGroup(apart);
  if (group == nullptr) return IsolatedProcess::Start(LimitsOf(apart));
  if (group->host == kThisHost) return IsolatedProcess::Start(LimitsOf(apart), NameOf(*group));
  if (unusable_.contains(group->id)) {
    throw FileError({}, fmt::format("expected the worker of group '{}', found that it did not start", group->id));
  }
  try {
    const auto started = starting_.find(group->id);
    StartingWorker starting = started == starting_.end() ? Launch(*group) : std::move(started->second);
    starting_.erase(group->id);
    auto workers = launcher_->Await(starting);
    return IsolatedProcess::Join(std::move(workers.front()), starting.who, group->limits, has_lost_worker_);
  } catch (const Error&) {
    unusable_.insert(group->id);
    *has_lost_worker_ = true;
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
    IntroduceToOthers(*process);
    const PlacedGroup* group = FindGroup(apart);
    const bool is_shared = apart.isolation == Isolation::Process;
    auto record = RecordFor(group != nullptr && is_shared ? "group " + group->id
                            : is_shared                   ? "library " + KeyOf(omi, apart)
                                                          : fmt::format("instance {} {}", omi.path.string(), omi.type),
                            group != nullptr && is_shared ? group->id : std::string());
    process->SetRecord(std::move(record));
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
