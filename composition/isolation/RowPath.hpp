#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/isolation/RowPeers.hpp"
#include "composition/isolation/WorkerTimes.hpp"
#include "timespace/items/NumericInput.hpp"

namespace openmi {

class IsolatedProcess;

/// A way on which rows of one worker reach another one, or stay in the same, without passing through the run.
struct RowPath {
  std::weak_ptr<IsolatedProcess> to;
  std::int64_t source = -1;  ///< its number at the worker that takes; -1: the two cannot reach each other
  std::int64_t sink = -1;    ///< its number at the worker that sends; -1: the other one reads its memory
  std::uint64_t count = 0;   ///< rows sent so far, as the sender last stated
  std::size_t figures = 0;   ///< number of its figures at the worker that sends

  /// Whether every row is there at once, and none is sent.
  bool IsSeen() const { return sink < 0; }
};

/// How workers of different hosts meet.
struct WorkerMeeting {
  std::string listen;  ///< where workers of this host listen for others
  std::string key;     ///< WorkerKey::ForRows
};

/// The ways from one worker to others.
class RowPaths {
 public:
  void SetMeeting(WorkerMeeting meeting) { meeting_ = std::move(meeting); }
  /// The way to a worker; null: there is none.
  std::shared_ptr<RowPath> Find(const IsolatedProcess& to) const;
  /// Makes the way to a worker, unless it was tried before.
  /// \throws Error  one of the two workers is gone
  void Make(IsolatedProcess& from, const std::shared_ptr<IsolatedProcess>& to);
  /// Reads how many rows were sent on each, and what the worker from which these ways go took from others.
  /// \returns how long it waited for others since the last call; valid until the next
  std::span<const WorkerTimes::Wait> ReadCounts(StateReader& reader, WorkerFigures& figures);
  /// Why other workers cannot be reached, one sentence each, since the last call.
  std::vector<std::string> TakeFailures() { return std::exchange(failures_, {}); }

 private:
  void Connect(IsolatedProcess& from, IsolatedProcess& to, RowPath& path);
  /// What a worker has to know to meet others.
  void WriteMeeting(StateWriter& request, const IsolatedProcess& worker, bool listens) const;

  WorkerMeeting meeting_;
  std::vector<std::shared_ptr<RowPath>> paths_;
  std::vector<std::string> failures_;
  struct Source {
    std::shared_ptr<WorkerRecord> from;
    std::size_t figures;  // number of the way among those of `from`
    double waited = 0.0;  // seconds, as last reported
  };
  /// Makes a worker the next from which the worker of these ways takes rows.
  /// \returns its number
  std::int64_t AddSource(std::shared_ptr<WorkerRecord> from, std::size_t figures);
  std::vector<Source> sources_;           // of the worker from which these ways go
  std::vector<WorkerTimes::Wait> waits_;  // of one call
  std::int64_t sinks_ = 0;
};

/// The rows of one link between two workers.
struct RowRoute {
  std::weak_ptr<IsolatedProcess> to;
  NumericInput* input = nullptr;    ///< what stands here for the input there
  const RowWindow* rows = nullptr;  ///< of the worker that provides
  std::shared_ptr<RowPath> path;    ///< null: none yet
  /// Whether the worker that takes has, or sees, every row that the output shows here.
  std::atomic<bool> is_open = false;

  void Open() {
    is_open = true;
    input->SetReadsRows(false);
  }
  void Close() {
    is_open = false;
    input->SetReadsRows(true);
  }
  /// The name of a row for the worker that takes it, if it gets it on this way.
  RowName NameOf(std::span<const double> row) const {
    const auto place = is_open && !row.empty() ? rows->OffsetOf(row.data()) : std::nullopt;
    return place ? RowName{path->source, *place, path->count} : RowName();
  }
};

}  // namespace openmi
