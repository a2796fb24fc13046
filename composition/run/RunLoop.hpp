#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/TimeKeeper.hpp"

namespace openmi {

/// Makes a prepared composition run, pass by pass.
///
/// Pull: the triggers that are furthest behind are asked to update. Before, where chains are long, everything upstream
/// of them that stands in no loop is brought to the time they will ask for, providers first: the pull would have asked
/// the same, and now finds all there, at a depth of one. What the sweep does not foresee (loops, steps that reach
/// further) the pull does itself. Step: whatever is furthest behind updates; where several are, providers before
/// consumers. Components whose outputs have no times update once a pass (once for each time that is the furthest
/// behind); where nobody has a time, until all are done.
class RunLoop final : public IExchangeListener {
 public:
  /// \param composition  prepared; borrowed
  RunLoop(Composition& composition, RunMode mode);
  ~RunLoop() override;
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  /// One pass. \returns false when there is nothing left to do
  /// \throws Error, std::exception  what a component threw
  bool Advance();
  /// How far the run is: the time of the trigger (or of any component, in step mode) that is furthest behind.
  Stamp CurrentTime() const;
  /// The component whose update threw; the number of components if none did.
  std::size_t Failed() const { return failed_; }
  const TimeKeeper& Times() const { return times_; }
  /// Whether every component is out of the run (its family disengaged), so that there is nothing to do until one is
  /// back.
  bool IsAllFrozen() const;

  // IExchangeListener. What is frozen is not updated; what only it asked for is asked for by the run in its place.
  void OnLeaving(std::size_t component) override;
  void OnExchanged() override;
  /// Called after each update this loop makes, with the component's number.
  void SetAfterUpdate(std::function<void(std::size_t)> after_update) { after_update_ = std::move(after_update); }

 private:
  struct Node {
    Instance* instance = nullptr;
    IBaseLinkableComponent* component = nullptr;
    const ISteps* steps = nullptr;
    std::size_t number = 0;
    bool is_swept = false;
    bool is_trigger = false;
    std::vector<std::size_t> providers;  // positions in nodes_
    Stamp required = kFarPast;
    Stamp time = kFarPast;  // when the clock was last read
    Stamp next = kFarPast;  // of a trigger, in this pass
    Stamp Time() const { return steps != nullptr ? steps->CurrentTime() : instance->CurrentTime(); }
    /// One that does not tell how far its next step goes is asked for whatever is later than now.
    Stamp Next() const { return steps != nullptr ? steps->NextTime() : Time() + kTimeTolerance * 4.0; }
    bool IsTimeless() const { return time == kFarPast; }
    bool CanUpdate() const {
      const LinkableComponentStatus status = component->Status();
      return status == LinkableComponentStatus::Updated || status == LinkableComponentStatus::WaitingForData;
    }
  };
  bool Pull();
  /// Without the sweep: the pull finds the way by itself.
  bool PullOnly();
  bool StepFurthestBehind();
  /// What to ask for where no trigger has a time.
  Stamp TimelessTarget() const;
  /// Updates the components without times once each. \returns whether there was one
  bool StepTimeless();
  void Update(Node& node);
  /// Reads the instance of a node anew.
  void Bind(Node& node);
  void ChooseTriggers();
  void FillQueue();
  void WatchLoops();

  Composition& composition_;
  RunMode mode_;
  Stamp end_;
  std::vector<Node> nodes_;                   // providers first
  std::vector<std::size_t> position_;         // of each component in nodes_
  std::vector<std::size_t> wanted_triggers_;  // those of the composition
  std::vector<std::size_t> triggers_;
  std::vector<std::size_t> timeless_;  // positions of the components whose outputs have no times
  bool are_triggers_timeless_ = true;
  Stamp round_ = kFarPast;  // step mode: when the timeless ones were last updated
  TimeKeeper times_;
  std::size_t failed_;
  std::function<void(std::size_t)> after_update_;
  bool is_timed_ = true;  // this pass
  bool is_shallow_ = true;
  bool is_long_ = false;  // the pass last timed
  std::uint64_t passes_ = 0;
  std::vector<std::pair<IBaseLinkableComponent*, EventSubscription>> watched_;
  using Waiting = std::pair<double, std::size_t>;  // time, position in nodes_
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
};

}  // namespace openmi
