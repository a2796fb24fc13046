#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "composition/hosts/Placement.hpp"
#include "composition/isolation/HostLauncher.hpp"
#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/model/IsolationSpec.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"

namespace openmi {

/// The limits of the process of a component.
IsolationLimits LimitsOf(const IsolationSpec& apart);

/// A group of components that is placed on a host.
struct PlacedGroup : LaunchedGroup {
  std::string members;  ///< for messages: "creek, gauge"
  IsolationLimits limits;
};

/// The processes of a composition's isolated components: one for each library, one for each component, or one for each
/// group that is placed on a host. A process ends with its last component. May be used by several threads.
class ProcessPool {
 public:
  /// Sets where groups run. To be called before Place.
  void SetPlacement(Placement placement) { placement_ = std::move(placement); }
  /// Where groups run.
  const Placement& Places() const { return placement_; }
  /// Sets the host of a component with ranks; without it, they are on this one.
  void SetRanksHost(const std::string& component, const std::string& host) { rank_hosts_[component] = host; }
  /// Starts the commands that start the workers on other hosts. To be called before Load.
  /// \throws Error  one of them cannot be started, or no address for workers is given
  void Place(const std::vector<PlacedGroup>& groups);
  /// Makes the component of an OMI file in the process that `apart` asks for.
  /// \param problems  see LoadIsolated
  LoadedComponent Load(const OmiFile& omi, const IsolationSpec& apart, Problems* problems);
  /// Whether a worker on another host did not start, or was lost.
  bool HasLostWorker() const { return *has_lost_worker_; }
  /// Starts the processes that compute a component together, on the host of its group or on this one.
  /// \returns one for each rank
  /// \throws Error  they cannot be started
  std::vector<std::shared_ptr<IsolatedProcess>> StartRanks(const std::string& component, const IsolationSpec& apart);
  /// What the processes do with their time.
  WorkerTimes& Times() { return *times_; }
  const WorkerTimes& Times() const { return *times_; }
  /// Every process that was started here, also those that have ended, in the order of their numbers in Times. One that
  /// takes the place of another one has its record.
  const std::vector<std::shared_ptr<WorkerRecord>>& Records() const { return records_; }
  /// The host of a group of a component, or of its ranks; empty: it runs where the file says.
  std::string HostOf(const std::string& component, const std::string& group) const;
  /// Calls IsolatedProcess::EndIfLate for each process that was started here and still lives. May be called from any
  /// thread.
  void EndLate(const std::string& why);

 private:
  std::shared_ptr<IsolatedProcess> ProcessFor(const OmiFile& omi, const IsolationSpec& apart);
  std::shared_ptr<IsolatedProcess> Start(const IsolationSpec& apart);
  HostLauncher& Launcher();
  StartingWorker Launch(const PlacedGroup& group);
  const PlacedGroup* FindGroup(const IsolationSpec& apart) const;
  /// \param party  see WorkerTimes::Add; empty: the process alone
  std::shared_ptr<WorkerRecord> RecordFor(const std::string& key, const std::string& party);
  /// Tells a process how it meets workers of other hosts.
  void IntroduceToOthers(IsolatedProcess& process) const;

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<IsolatedProcess>> by_library_;
  std::map<std::string, std::weak_ptr<IsolatedProcess>> by_group_;
  std::vector<std::weak_ptr<IsolatedProcess>> all_;
  std::shared_ptr<WorkerTimes> times_ = std::make_shared<WorkerTimes>();
  std::vector<std::shared_ptr<WorkerRecord>> records_;
  Placement placement_;
  std::map<std::string, PlacedGroup> groups_;
  std::map<std::string, std::string> rank_hosts_;   // by component
  std::unique_ptr<HostLauncher> launcher_;          // null: no group is on another host
  std::map<std::string, StartingWorker> starting_;  // by group: started by Place, and not needed yet
  std::shared_ptr<std::atomic<bool>> has_lost_worker_ = std::make_shared<std::atomic<bool>>(false);
  std::set<std::string> unusable_;  // groups whose worker did not start
};

}  // namespace openmi
