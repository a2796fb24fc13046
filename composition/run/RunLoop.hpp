#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/loops/ExtrapolatedLink.hpp"
#include "composition/loops/LoopGroup.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/ParallelUpdate.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "composition/threads/TimeKeeper.hpp"
#include "timespace/ILookAhead.hpp"

namespace openmi {

class IsolatedComponent;
class IsolatedProcess;
class StateReader;
class StateWriter;

/// Makes a prepared composition run, pass by pass.
///
/// Pull mode: the triggers that are furthest behind are asked to update. Where chains are long, a sweep comes first:
/// all components upstream of the triggers that are in no loop are brought to the time that will be asked for,
/// providers first. The pull would have asked the same; now it finds all rows ready, at a depth of one. What the sweep
/// does not foresee (loops, steps that reach further) the pull asks for itself.
///
/// Step mode: the component that is furthest behind updates; where there are several, providers update before
/// consumers. Components whose outputs have no times update once in each pass (once for each time that is the furthest
/// behind); if no component has a time, all update until they are done. The members of an iterated loop update
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
  /// \param is_enough  asked before each further pass starts, on any thread: whether it must not start; empty: never
  /// \returns false when there is nothing left to do
  /// \throws Error, std::exception  what a component threw
  bool Advance(std::size_t most = 1, const std::function<bool()>& is_enough = {});
  /// How many passes the last Advance made.
  std::size_t PassesMade() const { return rounds_made_; }
  /// How far the run is, UTC: the time of the trigger (in step mode: of any component) that is furthest behind.
  Stamp CurrentTime() const;
  /// The index of the component whose update threw; the number of components if none did.
  std::size_t Failed() const { return failed_; }
  const TimeKeeper& Times() const { return times_; }
  /// Measures every step from now on, and keeps how long each one took: TimeKeeper::StepsOf.
  void KeepStepTimes() { times_.KeepStepTimes(); }
  /// What the iterated loops did, in the order of the composition.
  std::vector<LoopFigures> Loops() const;
  /// The links with `Loop="extrapolate"` along which no question has come back so far.
  std::vector<const Link*> IdleExtrapolations() const;
  /// Whether every component is out of the run (its family is disengaged), so that there is nothing to do until one
  /// comes back.
  bool IsAllFrozen() const;

  // IExchangeListener. Components that are frozen are not updated; the run itself asks for what only they asked for.
  void OnLeaving(std::size_t component) override;
  void OnExchanged() override;
  /// Saves what determines the next pass beside the components' own times, for checkpoints.
  void SaveState(StateWriter& writer) const;
  /// Restores it, after the components' states were restored, and reads their times again.
  void LoadState(StateReader& reader);
  /// Sets a function that is called after each update this loop makes, with the component's index.
  void SetAfterUpdate(std::function<void(std::size_t)> after_update) { after_update_ = std::move(after_update); }

 private:
  /// A link whose adaptors may need the provider further than the consumer asks.
  struct Ahead {
    std::size_t provider = 0;              // position in nodes_
    std::vector<const ILookAhead*> chain;  // from the consumer to the provider
  };
  struct Node {
    Instance* instance = nullptr;
    IBaseLinkableComponent* component = nullptr;
    const ISteps* steps = nullptr;
    LoopGroup* group = nullptr;          // of an iterated loop
    IsolatedComponent* apart = nullptr;  // in another process, and of no iterated loop
    std::uint64_t posted = 0;            // ticks when its update request was sent
    std::size_t failed = 0;              // the index of the component that threw when this node was updated
    std::size_t number = 0;
    bool is_swept = false;
    bool is_watched = false;  // its status shows when it computes: a member of a loop, or upstream of one
    bool is_trigger = false;
    bool is_order_kept = false;          // downstream of a loop whose values depend on which component asks first
    std::vector<std::size_t> providers;  // positions in nodes_
    std::vector<Ahead> ahead;
    Stamp required = kFarPast;
    Stamp time = kFarPast;  // when its time was last read
    Stamp next = kFarPast;  // end of its next step: of a trigger in this pass, of all nodes while passes are foreseen
    Stamp Time() const { return steps != nullptr ? steps->CurrentTime() : instance->CurrentTime(); }
    /// A component that does not report the end of its next step is asked for any time later than now.
    Stamp Next() const { return steps != nullptr ? steps->NextTime() : Time() + kTimeTolerance * 4.0; }
    bool IsTimeless() const { return time == kFarPast; }
    void UpdateComponent() const {
      CallComponent(*instance->conduct, [this] { component->Update({}); });
    }
    bool CanUpdate() const {
      const LinkableComponentStatus status = component->Status();
      return status == LinkableComponentStatus::Updated || status == LinkableComponentStatus::WaitingForData;
    }
  };
  class Tasks;
  bool Pull();
  /// The same without the sweep: the pull itself updates what is needed.
  bool PullOnly();
  /// The same for one trigger.
  bool PullOne(Node& node);
  bool StepFurthestBehind();
  /// The time to ask for where no trigger has a time.
  Stamp TimelessTarget() const;
  /// Updates the components without times once each.
  /// \returns whether there was one
  bool StepTimeless();
  void Update(Node& node);
  void UpdateGroup(Node& node);
  /// Does `update` as an update of the node: notes which component runs, and holds a component that fails where the
  /// file requires that.
  /// \returns whether it succeeded
  template <class Call>
  bool UpdateBy(Node& node, const Call& update);
  /// Computes how far each node's providers have to go, so that the node can reach the time that is required of it.
  void RequireUpstream();
  /// The same for the providers of one node.
  void RequireProviders(Node& node);
  /// Brings what a node will ask for to the time it needs, providers first, at a depth of one.
  void BringProvidersOf(std::size_t position);
  /// Finds the links that look ahead.
  void FindAhead();
  /// Updates a node until it has reached the time that is required of it.
  /// \returns whether it moved
  bool Bring(Node& node);
  /// Finds out which nodes may be updated side by side.
  void MakeTasks();
  /// Adds the components that the update of these instances will update by asking, as far as that can be foreseen.
  /// \param loop_of  the loop, not iterated, that each instance belongs to; null: none
  void AddAsked(std::vector<std::size_t>& updates, const std::vector<const std::vector<std::size_t>*>& loop_of,
                const std::vector<bool>& asks_directly) const;
  /// Whether several members of a loop that is not iterated are asked from outside: its values then depend on which
  /// component asks first.
  bool DependsOnWhoAsks(const std::vector<std::size_t>& loop) const;
  /// Makes all components that may ask such a loop, also from far downstream, do so in the order of one thread.
  void KeepOrderBelow(const std::vector<std::size_t>& loop, std::vector<ParallelUpdate::Task>& tasks);
  /// Foresees what the next passes require of each node, as long as the lengths of steps do not change.
  /// \returns the number of passes
  std::size_t Foresee(std::size_t most);
  Stamp RequiredAt(std::size_t round, std::size_t position) const;
  bool IsInBatch(std::size_t position) const;
  /// Does what a pass does with one node.
  /// \returns whether it moved
  bool BringOrStep(Node& node, Stamp required, bool is_in_batch);
  /// Does so with all nodes, side by side, in each of `rounds` passes.
  /// \returns whether anything moved
  bool BringSideBySide(std::size_t rounds);
  bool StepSideBySide();
  /// Updates a node that is at `now`.
  /// \throws ModelError  its time does not advance
  void StepNode(Node& node, Stamp now);
  void RequireProgress(const Node& node, Stamp before) const;
  bool Pass();
  void MakeLoops();
  /// Makes the groups of iterated loops that are complete and not there yet.
  void MakeGroups();
  /// Gives a group what the same loop had learned, if it was dissolved at the present time: a family that is exchanged
  /// between two passes for the same code changes nothing.
  void TakeUpLearned(LoopGroup& group);
  /// Brings what is observed or compared to the end of the run, once the triggers are there. The triggers may ask for
  /// less, for example through `delay`.
  /// \returns whether anything moved
  bool BringRecorded();
  /// Reads the instance of a node again.
  void Bind(Node& node);
  void ChooseTriggers();
  void FillQueue();
  void WatchLoops();

  Composition& composition_;
  std::vector<std::unique_ptr<LoopGroup>> groups_;
  /// A group that a member left.
  struct Dissolved {
    const IterateSpec* spec = nullptr;
    LoopFigures figures;
    std::vector<std::byte> learned;  // as LoopGroup::SaveState gives it
    Stamp time;                      // the time that all members had reached
  };
  std::vector<Dissolved> dissolved_;
  std::vector<std::unique_ptr<ExtrapolatedLink>> extrapolated_;
  std::unique_ptr<ParallelUpdate> parallel_update_;       // destroyed before the groups, whose places it takes
  std::vector<std::vector<std::size_t>> task_positions_;  // of each of its tasks, in nodes_
  std::vector<Stamp> foreseen_;                           // what each pass requires of each node; empty: one pass
  bool can_foresee_ = false;
  bool is_foreseeing_ = false;
  bool is_beside_ = false;       // whether this pass runs side by side
  std::size_t most_rounds_ = 1;  // of this Advance
  std::size_t rounds_made_ = 1;
  std::function<bool()> is_enough_;
  std::vector<std::size_t> batch_;  // step mode: positions
  Stamp batch_time_;
  std::vector<std::size_t> recorded_;  // positions of what is observed or compared
  RunMode mode_;
  std::size_t seen_held_ = 0;
  std::uint64_t timed_passes_ = 0;  // the value of `passes_` at the last pass that was timed
  std::size_t threads_;
  Stamp end_;
  std::vector<Node> nodes_;                   // providers first
  std::vector<std::size_t> position_;         // of each component in nodes_
  std::vector<std::size_t> wanted_triggers_;  // those of the composition
  std::vector<std::size_t> triggers_;
  std::vector<std::size_t> timeless_;  // positions of the components whose outputs have no times
  bool are_triggers_timeless_ = true;
  Stamp round_ = kFarPast;  // step mode: when the components without times were last updated
  TimeKeeper times_;
  std::size_t failed_;
  std::function<void(std::size_t)> after_update_;
  bool is_timed_ = true;  // this pass
  bool is_shallow_ = true;
  bool has_lagged_loop_ = false;  // a loop that is not iterated: its values depend on which component asks first
  bool is_any_ahead_ = false;
  std::vector<std::size_t> open_, visited_;  // of BringProvidersOf
  bool is_long_ = false;                     // the pass last timed
  std::uint64_t passes_ = 0;
  std::vector<std::pair<IBaseLinkableComponent*, EventSubscription>> watched_;
  using Waiting = std::pair<double, std::size_t>;  // time, position in nodes_
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
};

template <class Call>
bool RunLoop::UpdateBy(Node& node, const Call& update) {
  try {
    update();
    return true;
  } catch (const std::exception& error) {
    if (!node.is_watched && is_timed_ && times_.IsInside(node.number)) times_.Leave();
    node.failed = node.number;
    if (!node.instance->host->Freezes()) throw;
    node.instance->host->Hold(error.what());
    return false;
  } catch (...) {
    node.failed = node.number;
    throw;
  }
}

}  // namespace openmi
