#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/QuietMoments.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunOptions.hpp"
#include "composition/run/RunRecord.hpp"
#include "composition/run/RunWatch.hpp"

namespace openmi {

class Families;
class RunCheckpoints;
class RunFiles;
struct Checkpoint;

/// Where a run is in its life.
enum class RunState {
  Created,  ///< not begun
  Running,
  Paused,  ///< begun, and makes no passes until it is resumed
  Over,    ///< nothing is left to do, or something failed: to be ended
  Ended    ///< components finished, results and report written
};

/// One run of a composition: prepares, steps, observes, weighs, writes results, and finishes whatever happens.
///
/// Either Run, or Begin, Advance until it returns false, End: for those who do other things in between. A component
/// that fails ends the run; what was computed until then is written, reported and stays. All calls are made by one
/// thread, but for those that say otherwise.
class CompositionRun {
 public:
  /// \param composition  loaded, connected and validated without errors; borrowed
  /// \param problems     what the check found, for the report
  CompositionRun(Composition& composition, Problems problems, RunOptions options);
  CompositionRun(const CompositionRun&) = delete;
  CompositionRun& operator=(const CompositionRun&) = delete;
  ~CompositionRun();

  /// Begin, Advance to the end, End.
  /// \throws FileError  the results cannot be written where they should
  RunRecord Run();

  /// Opens the results, or goes on with those of the run that is resumed, and prepares the components. A component that
  /// cannot be prepared is recorded, and there is nothing to advance. \throws FileError      the results cannot be
  /// written where they should; nothing was begun \throws ArgumentError  the checkpoint to go on from is of another
  /// composition, other arguments or libraries \throws FormatError    none of the checkpoints is good
  void Begin();
  /// Enough passes at once for a chain of components to be at work all along on several threads.
  static constexpr std::size_t kManyPasses = 16;
  /// The quiet moment, then one pass. While paused: the quiet moment, and a short wait.
  /// \param most  passes at most, where nothing need be done between them (RunLoop::Advance); one otherwise
  /// \returns whether to call it again; what a component throws is recorded and ends the run
  bool Advance(std::size_t most = 1);
  /// Completes results and report and finishes the components, whatever happened.
  /// \throws FileError  the results cannot be written; the components are finished all the same
  RunRecord End();

  /// From any thread.
  RunState State() const;
  /// How far the run is, UTC: the time of the trigger (or of any component, in step mode) that is furthest behind. From
  /// any thread.
  Stamp Now() const { return Stamp{now_mjd_.load(std::memory_order_relaxed)}; }
  /// How many passes were made. From any thread.
  std::uint64_t Passes() const { return passes_.load(std::memory_order_relaxed); }

  /// No pass begins from now on until Resume. From any thread.
  void Pause();
  /// Goes on. From any thread.
  void Resume();
  /// Goes on for so many passes and is then paused. Those that a Step before has left are made as well; a run that goes
  /// on for good makes `passes` and no more. From any thread.
  /// \returns how many passes the run will have made then; exact in a quiet moment
  std::uint64_t Step(std::uint64_t passes);
  /// Lets Advance return false before the next pass: results are completed, and the record says how far it came and
  /// why. From any thread.
  void RequestEnd(std::string reason);
  /// Whether that was called. From any thread.
  bool IsEndWanted() const { return is_end_wanted_; }

  /// Keeps the state of the run beside its results, for RunOptions::resume. At a quiet moment.
  /// \throws Error  a component does not tell its state; the disk is full; the run writes no files
  void TakeCheckpoint();

  /// Supplies a row to an input that Composition::SupplyInput was called for; see SuppliedOutput::Supply. Before Begin,
  /// or between two passes. In steady state nothing is allocated.
  /// \param item  "component.item"
  /// \throws ArgumentError  there is no such supplied input
  /// \throws RangeError     as SuppliedOutput::Supply
  void Supply(std::string_view item, Stamp begin, Days duration, std::span<const double> row);
  /// Makes passes until the run has reached `time`, is paused, or is over.
  /// \returns as Advance
  bool AdvanceTo(Stamp time);

  /// The state of the whole run in memory: components, links, observers, and what was supplied. Between two passes.
  /// \throws Error  a component does not tell its state; one without state cannot go back; a family is out
  Checkpoint SaveState();
  /// Goes back to a state that this run had, or one of the same composition; a run that was over goes on. Between two
  /// passes. Not where results are written: what is written stays.
  /// \throws StateError   results are written
  /// \throws FormatError  it is of another composition
  void RestoreState(const Checkpoint& state);
  /// A state as bytes, with what it belongs to, and back.
  std::vector<std::byte> SerializeState(const Checkpoint& state) const;
  /// \throws FormatError    the bytes are no state, or were changed
  /// \throws ArgumentError  it is of another composition, other arguments or other libraries: says which
  Checkpoint DeserializeState(std::span<const std::byte> bytes) const;

  /// What is done between passes; Post and Wake from any thread.
  QuietMoments& BetweenPasses() { return quiet_; }

  Composition& Model() { return composition_; }
  /// The families of the composition. \throws StateError  the run was not begun
  const Families& TheFamilies() const;
  /// Takes a family out of the run; see Families::Disengage. In a quiet moment. What is worth telling is recorded.
  void Disengage(const std::string& family);
  /// Changes an argument of a component that is out; see Families::SetArgument.
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);
  /// Puts a family back; see Families::Engage. In a quiet moment. What is worth telling, a failure too, is recorded.
  void Engage(const std::string& family);
  /// The same, without standing still for it: the new code is loaded and initialized beside the run where it allows
  /// that, and linked, prepared and brought to the present time in the first quiet moment after that. In a quiet
  /// moment. \param told  called once, in a quiet moment or by End: with null when the family is in, else with what
  /// keeps it out \throws ArgumentError  there is no such family; nobody is told
  void EngageBeside(const std::string& family, std::function<void(const Error*)> told);
  /// Records what an operator, or the program around the run, changed in it: a note of the run, of its report, and in
  /// the results. Of very many such changes the first ones. In a quiet moment. \param what  "overridden with 7 l s-1";
  /// the time of the run is added
  void TellChange(const std::string& component, const std::string& item, const std::string& what);
  /// What is recorded until now; balances, comparisons and timings come with End.
  RunRecord& Record() { return record_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Does `work`; what it throws is recorded and lets the run be over. \returns whether nothing was thrown
  template <class Work>
  bool Guarded(Work&& work);
  void OpenFiles();
  /// Makes the results files of a run from the begin, beside earlier ones where these are to be overwritten, and writes
  /// the rows that came before. \throws FileError
  void OpenAnew();
  /// Puts the files of this run in the place of those of an earlier one: it has written its first row. \throws
  /// FileError
  void GiveWay();
  void Start();
  /// Before a pass. \returns whether the pass is due
  bool IsDue();
  void Ended();
  void TakeDueCheckpoint();
  void SaveStates();
  /// \returns whether there was something to do
  bool Pass(std::size_t most);
  void WriteRow(std::size_t series, Stamp begin, Stamp end, std::span<const double> row);
  void Commit(Stamp until);
  /// Puts the families back whose new code is ready, and tells those who wait for one.
  void CompleteEngagements();
  void Tell(Clock::time_point now);
  void FillRecord();
  void TellRemarks();
  /// Says which fixed values are in force where the run goes on.
  void TellOverrides();
  /// Writes a line into the results; a failure ends the run as that of a row does.
  void WriteNote(const std::string& text);
  /// Records the components that failed and are held.
  void TellHeld();
  /// The id of the component that failed, as far up as can be; empty if none did.
  std::string FailedComponent() const;

  Composition& composition_;
  RunOptions options_;
  RunRecord record_;
  RunSpec run_;
  std::unique_ptr<RunWatch> watch_;
  std::unique_ptr<RunFiles> files_;
  /// A row that was observed before the results files were made: components publish while they are prepared.
  struct EarlyRow {
    std::size_t series;
    Stamp begin, end;
    std::vector<double> values;
  };
  std::vector<EarlyRow> early_rows_;
  bool begins_anew_ = false;                     // the results files are to be made once all components are prepared
  bool overwrites_ = false;                      // over those of an earlier run
  std::exception_ptr files_failed_;              // thrown by the results files, maybe while a component published
  std::unique_ptr<RunCheckpoints> checkpoints_;  // null where there are no files
  std::unique_ptr<Checkpoint> resumed_;          // null: from the begin
  std::unique_ptr<RunLoop> loop_;
  std::unique_ptr<Families> families_;
  std::vector<std::pair<std::string, std::function<void(const Error*)>>> engaging_;  // key of the family, who waits
  std::unique_ptr<Pace> pace_;                                                       // null: as fast as it can
  bool has_told_of_checkpoint_ = false;
  std::size_t told_held_ = 0;
  std::size_t told_changes_ = 0;
  std::set<std::string> told_failures_;
  QuietMoments quiet_;
  Clock::time_point begun_;
  Clock::time_point told_;
  enum class Phase { Created, Going, Over, Ended };
  std::atomic<Phase> phase_ = Phase::Created;
  static constexpr std::uint64_t kForGood = std::numeric_limits<std::uint64_t>::max();
  std::atomic<std::uint64_t> passes_left_ = kForGood;
  std::atomic<std::uint64_t> passes_ = 0;
  std::atomic<double> now_mjd_;
  std::atomic<bool> is_end_wanted_ = false;
  std::mutex end_mutex_;
  std::string end_reason_;  // under end_mutex_
};

}  // namespace openmi
