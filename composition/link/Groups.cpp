#include "composition/link/Groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/joined/JoinedComponent.hpp"
#include "composition/link/Composition.hpp"

namespace openmi {
namespace {

/// How bad a state is, so that a group has the worst of its components.
int SeverityOf(const std::string& state) {
  return state == "lost" ? 4 : state == "failed" ? 3 : state == "disengaged" ? 2 : state == "done" ? 1 : 0;
}

/// The processes of a component, one for each part or rank.
std::vector<IsolatedProcess*> ProcessesOf(const IBaseLinkableComponent& component) {
  std::vector<IsolatedProcess*> processes;
  if (const auto* joined = dynamic_cast<const JoinedComponent*>(&component)) return joined->Processes();
  if (const auto* apart = dynamic_cast<const IUpdatesApart*>(&component)) apart->AddProcesses(processes);
  return processes;
}

/// \param part  of a population in parts; no value: the component is in one group, with all its ranks
std::string StateOf(const Instance& instance, std::optional<std::size_t> part) {
  if (instance.IsFrozen() || !instance.IsThere()) return "disengaged";
  const std::vector<IsolatedProcess*> processes = ProcessesOf(instance.Component());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (part.value_or(i) == i && !processes[i]->IsAlive()) return "lost";
  }
  const LinkableComponentStatus status = instance.Component().Status();
  if (instance.IsOut() || status == LinkableComponentStatus::Failed) return "failed";
  const bool is_done = status == LinkableComponentStatus::Done || status == LinkableComponentStatus::Finishing ||
                       status == LinkableComponentStatus::Finished;
  return is_done ? "done" : "";
}

/// The components of processes that have no name of their own.
void NameByComponents(const Composition& composition, std::vector<RecordedWorkers::Worker>& workers) {
  for (const Instance& instance : composition.Instances()) {
    const auto* apart = instance.IsThere() ? dynamic_cast<const IsolatedComponent*>(&instance.Component()) : nullptr;
    if (apart == nullptr || apart->Process().Record()->number >= workers.size()) continue;
    WorkerFigures& figures = workers[apart->Process().Record()->number].figures;
    if (!figures.name.empty()) continue;
    figures.components += (figures.components.empty() ? "" : ", ") + instance.Id();
  }
  for (std::size_t i = 0; i < workers.size(); ++i) {
    WorkerFigures& figures = workers[i].figures;
    if (figures.name.empty())
      figures.name = figures.components.empty() ? fmt::format("process {}", i) : figures.components;
  }
}

}  // namespace

double RecordedWorkers::SecondsOf(const Worker& worker, std::size_t column) const {
  double sum = 0.0;
  for (std::size_t at = column; at < worker.times.size(); at += columns.size()) sum += worker.times[at];
  return sum;
}

std::vector<GroupState> StatesOfGroups(const Composition& composition) {
  std::vector<GroupState> groups;
  std::vector<bool> are_all_done;
  for (const Instance& instance : composition.Instances()) {
    const std::vector<std::string> own = GroupsOf(*instance.spec);
    for (std::size_t part = 0; part < own.size(); ++part) {
      const std::string host = composition.Processes().HostOf(instance.Id(), own[part]);
      if (host.empty()) continue;
      auto group = std::ranges::find(groups, own[part], &GroupState::id);
      const std::string state = StateOf(instance, own.size() > 1 ? std::optional(part) : std::nullopt);
      if (group == groups.end()) {
        group = groups.insert(groups.end(), {own[part], host, {}, state});
      } else if (group->state == "done" && state.empty()) {
        group->state.clear();  // done are those of which all are
      } else if (SeverityOf(state) > SeverityOf(group->state) && state != "done") {
        group->state = state;
      }
      const Stamp now = instance.CurrentTime();
      if (now != kFarPast) group->now = std::min(now, group->now.value_or(now));
    }
  }
  return groups;
}

void NoteLosses(const Composition& composition) {
  for (const Instance& instance : composition.Instances()) {
    if (!instance.IsThere()) continue;
    const Stamp now = instance.CurrentTime();
    for (const IsolatedProcess* process : ProcessesOf(instance.Component())) {
      WorkerFigures& figures = process->Record()->figures;
      if (!figures.lost_after || now == kFarPast) continue;
      figures.lost_at = std::min(now, figures.lost_at.value_or(now));
    }
  }
}

RecordedWorkers RecordWorkers(const Composition& composition) {
  NoteLosses(composition);
  const ProcessPool& processes = composition.Processes();
  const WorkerTimes& times = processes.Times();
  RecordedWorkers record;
  record.bins = times.Bins();
  record.bin_seconds = times.BinSeconds();
  for (const auto& one : processes.Records()) record.workers.push_back({one->figures, times.TimesOf(one->number)});
  NameByComponents(composition, record.workers);
  record.columns = {"computing", "the run", "others"};
  for (const std::string& party : times.Parties()) {
    const auto found = std::ranges::find(processes.Records(), party, [](const auto& one) { return one->party; });
    const WorkerFigures& figures = record.workers[(*found)->number].figures;
    record.columns.push_back(figures.name.find(", rank ") != std::string::npos ? party : figures.name);
  }
  return record;
}

}  // namespace openmi
