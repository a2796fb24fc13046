#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "study/run/Study.hpp"

namespace openmi {

/// How far a study is.
struct StudyProgress {
  std::uint64_t members = 0;
  std::uint64_t done = 0;  ///< with a result, failed or not
  std::uint64_t failed = 0;
  std::uint64_t computed = 0;         ///< since this process started
  double seconds = 0.0;               ///< since this process started
  std::optional<std::uint64_t> best;  ///< of a search, or of a design with weighted objectives; from 0
  double best_cost = 0.0;
  /// Estimated time that is still needed, seconds; NaN: unknown.
  double SecondsLeft() const;
};

struct StudyRunOptions {
  std::filesystem::path folder = "results";
  bool overwrite = false;
  bool resume = false;
  bool retry = false;                                  ///< with `resume`, of a design: failed members run again
  int workers = 0;                                     ///< 0: as the file says
  std::function<void(const StudyProgress&)> progress;  ///< called at most every 0.2 s, and at the end
  std::function<bool()> is_interrupted;                ///< empty: never
};

/// A worker and what it works on.
struct StudySlot {
  std::unique_ptr<StudyWorker> worker;  ///< null: to be started
  std::optional<std::uint64_t> member;  ///< nothing: it is free
  MemberValues values;
  std::chrono::steady_clock::time_point begun;
};

/// A result of a search that waits for its turn.
struct WaitingResult {
  MemberResult result;
  std::vector<std::string> shapes;
};

/// Runs the members of a study in workers, each exactly once, whatever ends.
///
/// A member is noted in the journal before it starts and when its result is there. A study that was ended goes on where
/// its journal ends.
class StudyRun {
 public:
  /// Begins a journal, or opens that of an earlier run.
  /// \param study  checked without errors; borrowed
  /// \throws FileError    the journal is there already, another process runs the study, or the disk is full
  /// \throws FormatError  the journal to resume belongs to another study
  StudyRun(const Study& study, StudyRunOptions options);
  ~StudyRun();
  StudyRun(const StudyRun&) = delete;
  StudyRun& operator=(const StudyRun&) = delete;

  /// Runs the members that have no result yet.
  /// \returns whether all have one; false: it was interrupted, or its time was over
  /// \throws FileError  the disk is full: nothing that was done is lost
  bool Run();
  const StudyProgress& Progress() const { return progress_; }
  /// The journal of a study in a folder.
  static std::filesystem::path JournalIn(const std::filesystem::path& folder, const StudyFile& study);

 private:
  using Clock = std::chrono::steady_clock;
  /// Makes the states from which members begin.
  /// \throws ModelError  the composition does not come to that time
  void MakeBranch();
  void OpenJournal();
  /// Gives results of the journal to the search.
  void Replay(const StudyJournalReader& reader);
  /// The next member to start, and its values; nothing: none is known at present.
  std::optional<std::uint64_t> Next(MemberValues& values);
  std::optional<std::uint64_t> NextOfDesign(MemberValues& values);
  std::optional<std::uint64_t> NextOfSearch(MemberValues& values);
  bool IsRunning(std::uint64_t member, const MemberValues& values) const;
  void Fill();
  void StartWorker(StudySlot& slot);
  /// Takes what the worker of a slot left.
  void Collect(StudySlot& slot);
  void TakeEnd(StudySlot& slot, const StudyWorker::Gone& gone);
  /// A result that counts, or, in a search, may count when its turn comes.
  void Settle(MemberResult result, std::vector<std::string> shapes);
  void Confirm(const MemberResult& result, const std::vector<std::string>& shapes);
  void ConfirmInOrder();
  void Count(std::uint64_t member, MemberEnd end, const std::vector<double>& objectives);
  bool IsTimeOver() const;
  void Report(bool is_last);
  bool IsComplete() const { return progress_.done >= progress_.members; }

  const Study& study_;
  StudyRunOptions options_;
  StudySetup setup_;
  std::unique_ptr<StudyJournal> journal_;
  std::unique_ptr<Search> search_;  // null: a design
  std::vector<bool> has_result_;
  std::uint64_t cursor_ = 0;                        // all before it were started, or have a result
  std::deque<std::uint64_t> again_;                 // whose worker was killed
  std::map<std::uint64_t, int> attempts_;           // how often members were started that have no result yet
  std::map<std::uint64_t, int> kills_;              // how often their workers were killed
  std::map<std::uint64_t, WaitingResult> waiting_;  // of a search: before their turn
  std::map<std::uint64_t, std::string> shapes_;     // bytes, by hash
  std::vector<StudySlot> slots_;
  int failed_starts_ = 0;
  StudyProgress progress_;
  bool has_cost_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point reported_ = Clock::now();
};

}  // namespace openmi
