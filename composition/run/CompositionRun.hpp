#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/record/RunRecord.hpp"
#include "composition/record/RunWatch.hpp"
#include "composition/run/Pace.hpp"
#include "composition/run/RunControl.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunOptions.hpp"
#include "composition/run/RunResults.hpp"
#include "composition/run/SafePoints.hpp"

namespace openmi {

class Families;
struct Checkpoint;

/// One run of a composition: prepares and steps the components, observes and balances their values, and writes results.
/// It always finishes the components, also after a failure.
///
/// Call Run. Or, to do other things between passes: call Begin, then Advance until it returns false, then End. A
/// component that fails ends the run; the results until then are written, reported and kept. One thread makes all
/// calls, except those that are marked "from any thread".
class CompositionRun {
 public:
  /// \param composition  loaded, connected and validated without errors; borrowed
  /// \param problems     what the check found; they appear in the report
  CompositionRun(Composition& composition, Problems problems, RunOptions options);
  CompositionRun(const CompositionRun&) = delete;
  CompositionRun& operator=(const CompositionRun&) = delete;
  ~CompositionRun();

  /// Calls Begin, then Advance until it returns false, then End.
  /// \throws FileError  the results cannot be written to the chosen folder
  RunRecord Run();

  /// Opens the results, or continues those of the run that is resumed, and prepares the components.
  ///
  /// A component that cannot be prepared is recorded as a problem, and Advance then returns false.
  /// \throws FileError      the results cannot be written to the chosen folder; no step was made
  /// \throws ArgumentError  the checkpoint to resume from belongs to another composition, other arguments or libraries
  /// \throws FormatError    none of the checkpoints is valid
  void Begin();
  /// Enough passes at once to keep all components of a chain busy on several threads.
  static constexpr std::size_t kManyPasses = 16;
  /// Does the work between two passes (BetweenPasses), then makes one pass. While the run is paused, it does that work
  /// and waits a short time.
  /// \param most  maximum number of passes if nothing has to be done between them (see RunLoop::Advance); otherwise one
  ///   pass is made
  /// \returns whether to call it again
  /// \note What a component throws is recorded as a problem and ends the run.
  bool Advance(std::size_t most = 1);
  /// Completes results and report and finishes the components, also after a failure.
  /// \throws FileError  the results cannot be written; the components are finished nevertheless
  RunRecord End();

  /// The state of the run. May be called from any thread.
  RunState State() const { return control_.State(); }
  /// How far the run is, UTC. In pull mode, this is the time of the trigger that is furthest behind; in step mode, the
  /// time of the component that is furthest behind. May be called from any thread.
  Stamp Now() const { return control_.Now(); }
  /// Whether every component is out of the run, so that nothing can step: its family is disengaged, or it is held after
  /// a failure. To be called between two passes.
  /// \throws StateError  the run was not started
  bool IsAllOut() const;
  /// How many passes were made. May be called from any thread.
  std::uint64_t Passes() const { return control_.Passes(); }

  /// Pauses the run: no pass starts until Resume. May be called from any thread.
  void Pause() { control_.Pause(); }
  /// Continues a paused run. May be called from any thread.
  void Resume() { control_.Resume(); }
  /// Makes the given number of passes and then pauses. If passes of an earlier Step remain, they are made, too. A run
  /// that would go on without a pause makes exactly `passes` more. May be called from any thread.
  /// \returns the number of passes after which the run pauses; exact only if called between two passes
  std::uint64_t Step(std::uint64_t passes) { return control_.Step(passes); }
  /// Ends the run before the next pass: Advance then returns false. The results until then are completed, and the
  /// record states the time that the run reached, and `reason`. May be called from any thread.
  void RequestEnd(std::string reason) { control_.RequestEnd(std::move(reason)); }
  /// Whether RequestEnd was called. May be called from any thread.
  bool IsEndWanted() const { return control_.IsEndWanted(); }

  /// The balances so far, of links and components, in a record with nothing else. To be called between two passes.
  RunRecord Balances() const;
  /// Writes a checkpoint of the run beside its results, for RunOptions::resume. To be called between two passes.
  /// \throws Error  a component does not give its state; the disk is full; the run writes no files
  void TakeCheckpoint();

  /// Supplies a row to an input for which Composition::SupplyInput was called; see SuppliedOutput::Supply. To be called
  /// before Begin, or between two passes. In steady state nothing is allocated.
  /// \param item  "component.item"
  /// \throws ArgumentError  there is no such supplied input
  /// \throws RangeError     see SuppliedOutput::Supply
  void Supply(std::string_view item, Stamp begin, Days duration, std::span<const double> row);
  /// Makes passes until the run has reached `time` (UTC), is paused, or is over.
  /// \returns see Advance
  bool AdvanceTo(Stamp time);

  /// Saves the state of the whole run in memory: components, links, observers, and supplied values. To be called
  /// between two passes.
  /// \throws Error  a component does not give its state, or keeps none; a family is disengaged
  Checkpoint SaveState();
  /// Goes back to a state of this run, or of another run of the same composition; a run that was over continues. To be
  /// called between two passes. Not possible if the run writes results: written rows cannot be taken back.
  /// \throws StateError   the run writes results
  /// \throws FormatError  the state is of another composition
  void RestoreState(const Checkpoint& state);
  /// Converts a state to bytes, together with the identity of the run that it belongs to.
  Bytes SerializeState(const Checkpoint& state) const;
  /// Converts the bytes of SerializeState back to a state.
  /// \throws FormatError    the bytes are no state, or were changed
  /// \throws ArgumentError  the state belongs to another composition, other arguments or other libraries; the message
  ///   says which
  Checkpoint DeserializeState(ByteView bytes) const;

  /// What is done between two passes; Post and Wake may be called from any thread.
  SafePoints& BetweenPasses() { return quiet_; }

  Composition& Model() { return composition_; }
  /// The families of the composition.
  /// \throws StateError  the run was not started
  const Families& TheFamilies() const;
  /// Takes a family out of the run; see Families::Disengage. To be called between two passes. Notes and warnings are
  /// recorded.
  void Disengage(const std::string& family);
  /// Changes an argument of a component whose family is disengaged; see Families::SetArgument.
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);
  /// Puts a family back; see Families::Engage. To be called between two passes. Notes, warnings and failures are
  /// recorded.
  void Engage(const std::string& family);
  /// Puts a family back without stopping the run, if possible. To be called between two passes.
  ///
  /// The new code is loaded and initialized while the run continues. This is possible if the run has several threads,
  /// or if every member of the family is isolated or thread-safe; otherwise the run waits. Then the new code is linked,
  /// prepared and brought to the present time. This happens between two passes.
  /// \param told  called once, between two passes or by End: with null if the family is engaged, else with the error
  ///   that prevents this
  /// \throws ArgumentError  there is no such family; `told` is not called
  void EngageBeside(const std::string& family, std::function<void(const Error*)> told);
  /// Records a change that an operator, or the program around the run, made in the run: as a note in the record, in the
  /// report and in the results. Records at most the first 1000 changes, then one note that further changes are not
  /// recorded. To be called between two passes.
  /// \param what  the change, for example "overridden with 7 l s-1"; the time of the run is added
  void ReportChange(const std::string& component, const std::string& item, const std::string& what);
  /// The record so far; End adds balances, comparisons and timings.
  RunRecord& Record() { return record_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Does `work`. An exception from `work` is recorded and ends the run.
  /// \returns whether nothing was thrown
  template <class Work>
  bool Guarded(Work&& work);
  Where Place() const { return {.file = composition_.File().path.string()}; }
  /// The place of the Run element.
  Where RunPlace() const { return {.file = composition_.File().path.string(), .line = run_.line}; }
  void OpenFiles();
  void Start();
  /// Waits as the pace demands.
  /// \returns whether the next pass is due
  bool IsDue();
  void Ended();
  void TakeDueCheckpoint();
  void SaveStates();
  /// Does the tasks between two passes, then makes passes if they are due.
  /// \param most  as in Advance
  /// \returns whether the run goes on
  bool Pass(std::size_t most);
  /// Puts back the families whose new code is ready, and notifies the callers that wait for one.
  void CompleteEngagements();
  void ReportProgress(Clock::time_point now);
  void FillRecord();
  void ReportRemarks();
  /// Reports which fixed values are in force when the run is resumed.
  void ReportOverrides();
  /// Records the components that failed and are held.
  void ReportHeld();
  void MarkComplete();
  /// The id of the component that failed; empty if none failed. If several failed, the one that is furthest upstream,
  /// if that can be found.
  std::string FailedComponent() const;

  Composition& composition_;
  RunOptions options_;
  RunRecord record_;
  RunSpec run_;
  std::unique_ptr<RunWatch> watch_;
  RunResults results_;
  std::unique_ptr<Checkpoint> resumed_;  // null: the run starts at its beginning
  std::unique_ptr<RunLoop> loop_;
  std::unique_ptr<Families> families_;
  std::vector<std::pair<std::string, std::function<void(const Error*)>>> engaging_;  // key of the family, what to call
  std::unique_ptr<Pace> pace_;                                                       // null: as fast as possible
  /// Why the last checkpoint that was due was not taken, as it was reported.
  enum class NoCheckpoint : std::uint8_t { None, Held, Failed } no_checkpoint_ = NoCheckpoint::None;
  std::size_t reported_held_ = 0;
  std::size_t reported_changes_ = 0;
  std::set<std::string> reported_failures_;
  SafePoints quiet_;
  RunControl control_{quiet_};
  Clock::time_point begun_;
  Clock::time_point reported_;
};

/// Prepares each component of a composition, providers first, with the initial values that its links give
/// (InitialValues). If the composition file names an initial state for a component, restores that state.
/// \param composition  checked without errors
/// \param resuming     states of a checkpoint will be restored right after this call: initial states are not restored
/// \throws Error  the component's own; an initial state that does not fit
void PrepareComponents(Composition& composition, bool resuming = false);

}  // namespace openmi
