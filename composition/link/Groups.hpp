#pragma once

#include <optional>
#include <string>
#include <vector>

#include "composition/isolation/WorkerTimes.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

class Composition;

/// What a run keeps of its workers: their figures, and their times by bins.
struct RecordedWorkers {
  struct Worker {
    WorkerFigures figures;
    std::vector<double> times;  ///< seconds; shape [bins * columns]
  };
  /// The sum of a column over all bins, seconds.
  double SecondsOf(const Worker& worker, std::size_t column) const;

  std::vector<std::string> columns;  ///< "computing", then those that are waited for: the run, others, parties by name
  std::vector<Worker> workers;
  std::size_t bins = 0;
  double bin_seconds = 0.0;
};

/// How far a group of components is that was placed on a host.
struct GroupState {
  std::string id;
  std::string host;
  std::optional<Stamp> now;  ///< where the component is that is furthest behind, UTC
  std::string state;         ///< "lost", "failed", "disengaged" or "done"; empty: it runs
};

/// The groups that were placed on hosts, in the order of the file. To be called between two passes.
std::vector<GroupState> StatesOfGroups(const Composition& composition);

/// Keeps how far the components of lost processes were (WorkerFigures::lost_at). To be called between two passes, soon
/// after a loss: later the components count as further.
void NoteLosses(const Composition& composition);

/// The processes of the composition's components, and what they did with their time.
RecordedWorkers RecordWorkers(const Composition& composition);

}  // namespace openmi
