#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/LoopGroups.hpp"
#include "composition/run/RunNodes.hpp"
#include "composition/run/SideBySide.hpp"

namespace openmi {

/// Makes a prepared composition run, pass by pass.
///
/// Pull mode: the triggers that are furthest behind are asked to update. Where chains are long, a sweep comes first:
/// all components upstream of the triggers that are in no loop are brought to the time that will be asked for,
/// providers first. Then the pull finds all rows ready, so its chains of calls stay short. The pull itself answers the
/// questions that the sweep does not foresee (loops, steps that reach further).
///
/// Step mode: the component that is furthest behind updates; where there are several, providers update before
/// consumers. Components whose outputs have no times update once in each pass (once for each new time of the component
/// furthest behind); if no component has a time, all update until they are done. The members of an iterated loop update
/// together, wherever one of them would update.
///
/// Components in other processes that do not depend on each other compute at the same time, also with one thread: the
/// loop sends each process its request before it waits for the first reply.
class RunLoop final : public IExchangeListener {
 public:
  /// \param composition  prepared; borrowed
  /// \param threads      number of threads that update components at the same time; 1: only the caller's
  RunLoop(Composition& composition, RunMode mode, std::size_t threads = 1);
  ~RunLoop() override;
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  /// Makes one pass, or several where components are updated side by side and nothing has to be done in between. Then
  /// upstream components start a pass while others are still in the one before.
  /// \param most       maximum number of passes
  /// \param is_enough  called on any thread before each further pass; true: that pass must not start; empty: never
  /// \returns false when there is nothing left to do
  /// \throws Error, std::exception  what a component threw
  bool Advance(std::size_t most = 1, const std::function<bool()>& is_enough = {});
  /// How many passes the last Advance made.
  std::size_t PassesMade() const { return passes_made_; }
  /// How far the run is, UTC: the time of the trigger (in step mode: of any component) that is furthest behind.
  Stamp CurrentTime() const;
  /// The index of the component whose update threw; the number of components if none did.
  std::size_t Failed() const { return nodes_.Failed(); }
  const TimeKeeper& Times() const { return nodes_.Times().Keeper(); }
  /// Measures every step from now on, and keeps how long each one took: TimeKeeper::StepsOf.
  void KeepStepTimes() { nodes_.Times().Keeper().KeepStepTimes(); }
  /// What the iterated loops did, in the order of the composition.
  std::vector<LoopFigures> Loops() const { return groups_.Figures(); }
  /// The links with `Loop="extrapolate"` along which no question has come back so far.
  std::vector<const Link*> IdleExtrapolations() const { return groups_.IdleExtrapolations(); }
  /// Whether every component is out of the run (its family is disengaged), so that there is nothing to do until one
  /// comes back.
  bool IsAllOut() const;

  // IExchangeListener. Components that are frozen are not updated; the run itself asks for what only they asked for.
  void OnLeaving(std::size_t component) override;
  void OnExchanged() override;
  /// Saves what determines the next pass beside the components' own times, for checkpoints.
  void SaveState(StateWriter& writer) const;
  /// Restores it, after the components' states were restored, and reads their times again.
  void LoadState(StateReader& reader);
  /// Sets a function that is called after each update this loop makes, with the component's index.
  void SetAfterUpdate(std::function<void(std::size_t)> after_update) { nodes_.SetAfterUpdate(std::move(after_update)); }

 private:
  bool Pass(std::size_t most, const std::function<bool()>& is_enough);
  /// \param most_beside  maximum number of passes side by side; 0: this thread makes one pass
  bool Pull(std::size_t most_beside, const std::function<bool()>& is_enough);
  /// The same without the sweep: the pull itself updates what is needed.
  bool PullOnly();
  /// The same for one trigger.
  bool PullOne(RunNode& node);
  bool StepFurthestBehind();
  bool StepSideBySide(const std::function<bool()>& is_enough);
  /// The time to ask for where no trigger has a time.
  Stamp TimelessTarget() const;
  /// Updates the components without times once each.
  /// \returns whether there was one
  bool StepTimeless();
  /// Updates observed and compared components to the end of the run, when the triggers have reached it. The questions
  /// of the triggers may not reach as far, for example because of `delay`.
  /// \returns whether anything moved
  bool BringRecorded();
  void ChooseTriggers();
  void FindTimeless();
  void FindLaggedLoop();
  void FillQueue();

  Composition& composition_;
  RunMode mode_;
  RunNodes nodes_;
  LoopGroups groups_;
  SideBySide side_by_side_;                   // destroyed before the groups, whose places it takes
  std::vector<std::size_t> wanted_triggers_;  // those of the composition; positions in nodes_
  std::vector<std::size_t> triggers_;
  std::vector<std::size_t> recorded_;  // positions of what is observed or compared
  std::vector<std::size_t> timeless_;  // positions of the components whose outputs have no times
  std::size_t pulled_only_ = 0;        // those of them that compute only when they are asked
  bool are_triggers_timeless_ = true;
  bool is_shallow_ = true;
  bool has_lagged_loop_ = false;  // a loop that is not iterated: its values depend on which component asks first
  std::size_t passes_made_ = 1;
  std::size_t seen_held_ = 0;
  Stamp round_ = kFarPast;                         // step mode: when the components without times were last updated
  using Waiting = std::pair<double, std::size_t>;  // time, position in nodes_
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::vector<std::size_t> batch_;  // positions
};

}  // namespace openmi
