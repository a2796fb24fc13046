#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
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

/// How a study starts or goes on.
struct StudyStart {
  std::filesystem::path folder = "results";
  bool overwrite = false;
  bool resume = false;
  bool retry = false;  ///< with `resume`, of a design: failed members run again
};

/// How often a member was started, and how often its worker was killed.
struct MemberTries {
  int starts = 0;
  int kills = 0;
};

/// What a program asked for.
struct AskedMembers {
  std::map<MemberValues, std::uint64_t> members;
  std::map<std::uint64_t, std::vector<double>> objectives;  ///< empty: the member failed
  std::deque<std::uint64_t> free;  ///< numbers that were started before, and have neither result nor values
};

/// Which members of a study are to run, and the journal of what became of them: each counts once, whatever ends.
///
/// Order of calls: `Next` as often as there is something that runs it, `Take` for each task when it is over, in any
/// order, until `IsComplete`; then `Finish`. A member is noted in the journal before it starts and when its result is
/// there. A study that was ended goes on where its journal ends. After a throw of FileError the journal is whole.
class StudyQueue {
 public:
  /// Starts a journal, or opens that of an earlier run; makes the states of a Branch.
  /// \param study  checked without errors; borrowed. Members that a program asks for are added to it
  /// \param width  how many tasks run at a time: a search guesses no further ahead
  /// \throws FileError    the journal exists already, another process runs the study, or the disk is full
  /// \throws FormatError  the journal to resume belongs to another study
  StudyQueue(Study& study, StudyStart start, std::size_t width);
  ~StudyQueue();
  StudyQueue(const StudyQueue&) = delete;
  StudyQueue& operator=(const StudyQueue&) = delete;

  /// Adds a member with these values, of a study whose members a program asks for.
  /// \returns its number; an earlier one if it has the same values
  std::uint64_t Ask(const MemberValues& values);
  /// The objectives of a member that a program asked for; empty: it has no result, or failed.
  const std::vector<double>& Objectives(std::uint64_t member) const { return asked_.objectives.at(member); }

  /// Whether Next may have a member: false if it has none.
  bool MayHaveNext();
  /// The next member to start; nothing: none is known at present.
  /// \throws FileError  the disk is full
  std::optional<StudyTask> Next();
  /// Takes what became of a task.
  /// \throws FileError  the disk is full
  void Take(const StudyTask& task, StudyReply reply);
  /// Gives a task up that was started and did not end; its member is to run again.
  void Drop(const StudyTask& task);
  /// Passes the journal to the disk, and removes what workers that were killed left.
  void Finish();

  /// In a copy of this process (fork): lets go of the journal, which would stay locked with the copy. Nothing else may
  /// be called there any more.
  void CloseCopy() { journal_.reset(); }

  bool IsComplete() const { return progress_.done >= progress_.members; }
  const StudyProgress& Progress();
  std::size_t Width() const { return width_; }
  const StudySetup& Setup() const { return setup_; }
  const std::string& Id() const { return study_.File().id; }
  bool IsSearch() const { return search_ != nullptr; }

  /// The journal of a study in a folder.
  static std::filesystem::path JournalIn(const std::filesystem::path& folder, const StudyFile& study);

 private:
  using Clock = std::chrono::steady_clock;
  /// Makes the states from which members begin.
  /// \throws ModelError  the composition does not come to that time
  void MakeBranch();
  void OpenJournal();
  /// Starts with the members that the study has at present.
  void SetUp();
  /// Gives results of the journal to the search.
  void Replay(const StudyJournalReader& reader);
  /// Moves the cursor behind members that have a result.
  void SkipResults();
  std::optional<std::uint64_t> NextOfDesign(MemberValues& values);
  std::optional<std::uint64_t> NextOfSearch(MemberValues& values);
  bool IsRunning(std::uint64_t member, const MemberValues& values) const;
  void Forget(const StudyTask& task);
  void Confirm(const StudyReply& reply);
  void ConfirmInOrder();
  void Count(const MemberResult& result);
  /// Gives what the components of a task wrote the name of the member, or removes it.
  void KeepFiles(const MemberResult& result, bool counts) const;
  bool IsTimeOver() const;

  Study& study_;
  StudyStart start_;
  std::size_t width_;
  StudySetup setup_;
  std::unique_ptr<StudyJournal> journal_;
  std::unique_ptr<Search> search_;  // null: a design
  std::vector<bool> has_result_;
  std::uint64_t cursor_ = 0;         // all before it were started, or have a result
  std::deque<std::uint64_t> again_;  // whose worker was killed
  std::vector<StudyTask> running_;
  std::map<std::uint64_t, MemberTries> tries_;   // of members that have no result yet
  std::map<std::uint64_t, StudyReply> waiting_;  // of a search: before their turn
  std::map<std::uint64_t, std::string> shapes_;  // of a search: bytes, by hash
  AskedMembers asked_;
  StudyProgress progress_;
  bool has_cost_ = false;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace openmi
