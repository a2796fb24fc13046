#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "timespace/times/Stamp.hpp"

namespace openmi {

/// The rows that go from one worker to another without passing through the run.
struct RowPathFigures {
  std::size_t to = 0;       ///< the worker that takes them
  bool is_network = false;  ///< else that worker reads them in memory of the host
  std::uint64_t rows = 0;   ///< sent; those that are read in memory are not counted
  std::uint64_t bytes = 0;  ///< sent, or read
};

/// What is known of a worker process, also after it has ended. The bytes are those since it was started.
struct WorkerFigures {
  std::string key;                  ///< the same for a process that takes the place of one that ended
  std::string name;                 ///< "lowland", "plate, rank 2"; empty: its components
  std::string group;                ///< empty: none
  std::string placed;               ///< the host as the run was told; empty: the host of the run
  std::string components;           ///< "creek, reservoir"
  std::string host;                 ///< as that host calls itself
  std::int64_t process = 0;         ///< its number there
  std::uint64_t messages_to = 0;    ///< bytes from the run, without rows
  std::uint64_t messages_from = 0;  ///< bytes to the run, without rows
  std::uint64_t rows_to = 0;        ///< bytes
  std::uint64_t rows_from = 0;      ///< bytes; rows in memory that both see are not sent
  std::vector<RowPathFigures> paths = {};
  std::optional<double> lost_after = {};  ///< seconds since the start of the run; no value: it was not lost
  std::optional<Stamp> lost_at = {};      ///< the simulated time that its components had reached, UTC
};

/// What the workers of a run do with their time: how long each of them computes, and for whom it waits.
///
/// A worker waits whenever it has nothing to compute. It then waits for those that compute at that moment, in equal
/// parts, or for the run if none does. A row of another worker that has not come is waited for, too. The time in which
/// a worker computes is measured there; what is left between request and reply is time of messages, and of a run that
/// had no time to take the reply. It counts as time of the run.
///
/// The time is cut into at most kBins equal bins, whose length doubles when they are full: nothing grows with the
/// number of steps, and nothing is allocated in them. May be used by several threads.
class WorkerTimes {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kBins = 120;
  /// Parties beyond these are waited for as `others`.
  static constexpr std::size_t kMostParties = 16;
  /// What stands in front of the parties in a row of figures.
  enum Column : std::size_t { kComputing, kRun, kOthers, kParties };

  WorkerTimes();
  ~WorkerTimes();
  WorkerTimes(const WorkerTimes&) = delete;
  WorkerTimes& operator=(const WorkerTimes&) = delete;

  /// Adds a worker.
  /// \param party  for whom others wait if they wait for it: all ranks of a component are one party
  /// \returns its number
  std::size_t Add(const std::string& party);
  /// Counts from now on; what was counted before is dropped.
  void Start(Clock::time_point now = Clock::now());
  /// Counts no longer.
  void Stop(Clock::time_point now = Clock::now());
  /// Seconds since the start; 0 before it.
  double SecondsNow() const;
  /// A worker was sent something to work on, or has sent a message itself.
  void Begin(std::size_t worker, Clock::time_point now = Clock::now()) { Note(worker, true, now); }
  void End(std::size_t worker, Clock::time_point now = Clock::now()) { Note(worker, false, now); }
  /// How long a worker waited for rows of another one.
  struct Wait {
    std::size_t worker;
    double seconds;
  };
  /// What a worker reports of the time since its report before.
  /// \param computing  seconds, without its waits
  void Correct(std::size_t worker, double computing, std::span<const Wait> waits);

  /// The names of the parties with a column of their own.
  std::vector<std::string> Parties() const;
  /// The length of a bin, seconds, and the number of those that have begun.
  double BinSeconds() const { return width_; }
  std::size_t Bins() const;
  /// Seconds by bin and column; shape [bins * (kParties + parties)].
  std::vector<double> TimesOf(std::size_t worker) const;

 private:
  struct Worker;
  std::size_t ColumnOf(std::size_t party) const {
    return kParties + party < columns_ ? kParties + party : std::size_t{kOthers};
  }
  void NoteParty(std::size_t party, bool is_at_work);
  void Note(std::size_t worker, bool is_at_work, Clock::time_point now);
  void PassTo(Clock::time_point now);
  void CountTo(double time);
  void Settle(Worker& worker);
  void Widen();
  void Move(Worker& worker, double seconds, std::size_t from, std::size_t to) const;
  void MakeRoom(Worker& worker) const;

  mutable std::mutex mutex_;
  std::vector<std::string> parties_;
  std::vector<std::size_t> busy_;  // workers at work, by party
  std::vector<Worker> workers_;
  bool counts_ = false;
  Clock::time_point begin_;
  double time_ = 0.0;  // up to when everything is counted, seconds since begin_
  double width_ = 1e-3;
  std::size_t bin_ = 0;
  std::size_t columns_ = kParties;
  std::vector<std::size_t> at_work_;  // parties at work, by column
  std::size_t busy_parties_ = 0;
  std::vector<double> clocks_;  // by column: the time for which one waits for it
};

/// What a worker had reported of its work when it last did.
struct ReportedWork {
  std::uint64_t rows_to = 0;    ///< bytes of rows that it got from the run
  std::uint64_t rows_from = 0;  ///< bytes of rows that the run got from it
  double computing = 0.0;       ///< seconds
};

/// A worker in the times of all, and its figures.
struct WorkerRecord {
  /// \param party  see WorkerTimes::Add
  WorkerRecord(std::shared_ptr<WorkerTimes> of, std::string its_party)
      : times(std::move(of)), party(std::move(its_party)), number(times->Add(party)) {}
  std::shared_ptr<WorkerTimes> times;
  std::string party;
  std::size_t number;
  WorkerFigures figures = {};
  std::atomic<bool> has_ended = false;
};

}  // namespace openmi
