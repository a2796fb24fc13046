#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "composition/hosts/Placement.hpp"
#include "composition/hosts/WorkerPort.hpp"
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
  /// The hosts of groups.
  const std::map<std::string, std::string>& Hosts() const { return placement_.hosts; }
  /// Starts the commands that start the workers on other hosts. To be called before Load.
  /// \throws Error  one of them cannot be started, or no address for workers is given
  void Place(const std::vector<PlacedGroup>& groups);
  /// Makes the component of an OMI file in the process that `apart` asks for.
  /// \param problems  see LoadIsolated
  LoadedComponent Load(const OmiFile& omi, const IsolationSpec& apart, Problems* problems);
  /// Starts the processes that compute a component together, on the host of its group or on this one.
  /// \returns one for each rank
  /// \throws Error  they cannot be started
  std::vector<std::shared_ptr<IsolatedProcess>> StartRanks(const std::string& component, const IsolationSpec& apart);
  /// Calls IsolatedProcess::EndIfLate for each process that was started here and still lives. May be called from any
  /// thread.
  void EndLate(const std::string& why);

 private:
  /// A worker of a group, or all its ranks, that is starting on another host.
  struct Starting {
    std::unique_ptr<WorkerProcess> command;
    std::uint64_t ticket = 0;  // of the first rank; the others have the next ones
  };
  std::shared_ptr<IsolatedProcess> ProcessFor(const OmiFile& omi, const IsolationSpec& apart);
  std::shared_ptr<IsolatedProcess> Start(const IsolationSpec& apart);
  Starting Launch(const PlacedGroup& group);
  /// Waits for the workers that a command starts.
  /// \returns one for each rank
  std::vector<std::shared_ptr<IsolatedProcess>> Await(const PlacedGroup& group, Starting starting);
  const PlacedGroup* FindGroup(const IsolationSpec& apart) const;

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<IsolatedProcess>> by_library_;
  std::map<std::string, std::weak_ptr<IsolatedProcess>> by_group_;
  std::vector<std::weak_ptr<IsolatedProcess>> all_;
  Placement placement_;
  std::map<std::string, PlacedGroup> groups_;
  std::unique_ptr<WorkerPort> port_;          // null: no group is on another host
  std::map<std::string, Starting> starting_;  // by group: started by Place, and not needed yet
  std::set<std::string> unusable_;            // groups whose worker did not start
};

}  // namespace openmi
