#include "composition/run/RunLoop.hpp"

#include <algorithm>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

RunLoop::RunLoop(Composition& composition, RunMode mode, std::size_t threads)
    : composition_(composition),
      mode_(mode),
      nodes_(composition, mode, threads),
      groups_(composition),
      side_by_side_(composition, nodes_, mode, threads) {
  const std::vector<RunNode>& nodes = nodes_.All();
  for (std::size_t trigger : composition.Triggers()) wanted_triggers_.push_back(nodes_.PositionOf(trigger));
  for (std::size_t recorded : composition.Recorded()) {
    if (nodes_.PositionOf(recorded) < nodes.size()) recorded_.push_back(nodes_.PositionOf(recorded));
  }
  ChooseTriggers();
  FindTimeless();
  FillQueue();
  constexpr std::size_t kShallow = 64;  // a chain of this length fits on any stack
  is_shallow_ = composition.Graph().LongestChain() <= kShallow && !composition.IsAnyFreezing() &&
                std::ranges::all_of(nodes, [](const RunNode& node) { return node.steps != nullptr; });
  groups_.Make(nodes_.All());
  groups_.MakeExtrapolated();
  FindLaggedLoop();
  nodes_.FindAhead();
  side_by_side_.MakeTasks();
  nodes_.Watch();
  composition_.AddListener(*this);
}

RunLoop::~RunLoop() {
  composition_.RemoveListener(*this);
}

void RunLoop::ChooseTriggers() {
  triggers_.clear();
  for (RunNode& node : nodes_.All()) node.is_trigger = false;
  std::vector<bool> reached(nodes_.All().size(), false);
  std::vector<std::size_t> open;
  const auto take = [&](std::size_t trigger) {
    nodes_.All()[trigger].is_trigger = true;
    triggers_.push_back(trigger);
    reached[trigger] = true;
    open.push_back(trigger);
    while (!open.empty()) {
      const std::size_t number = nodes_.All()[open.back()].number;
      open.pop_back();
      for (std::size_t provider : composition_.Graph().ProvidersOf(number)) {
        const std::size_t position = nodes_.PositionOf(provider);
        if (position >= nodes_.All().size() || reached[position] || nodes_.All()[position].instance->IsOut()) continue;
        reached[position] = true;
        open.push_back(position);
      }
    }
  };
  bool is_any_frozen = false;
  for (const RunNode& node : nodes_.All()) is_any_frozen = is_any_frozen || node.instance->IsOut();
  for (std::size_t trigger : wanted_triggers_) {
    if (!nodes_.All()[trigger].instance->IsOut()) take(trigger);
  }
  for (std::size_t i = nodes_.All().size(); is_any_frozen && mode_ == RunMode::Pull && i-- > 0;) {
    if (!reached[i] && !nodes_.All()[i].instance->IsOut()) take(i);
  }
  are_triggers_timeless_ = true;
  for (std::size_t trigger : triggers_) {
    are_triggers_timeless_ = are_triggers_timeless_ && nodes_.All()[trigger].IsTimeless();
  }
}

void RunLoop::FindTimeless() {
  timeless_.clear();
  pulled_only_ = 0;
  const std::vector<RunNode>& nodes = nodes_.All();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].IsTimeless()) continue;
    if (nodes[i].is_pulled_only && !nodes[i].is_trigger && !composition_.Graph().ConsumersOf(nodes[i].number).empty()) {
      ++pulled_only_;
    } else {
      timeless_.push_back(i);
    }
  }
}

void RunLoop::FindLaggedLoop() {
  has_lagged_loop_ =
      std::ranges::any_of(nodes_.All(), [](const RunNode& node) { return !node.IsSwept() && node.group == nullptr; });
}

void RunLoop::FillQueue() {
  if (mode_ != RunMode::Step) return;
  queue_ = {};
  for (std::size_t i = 0; i < nodes_.All().size(); ++i) {
    if (!nodes_.All()[i].IsTimeless() && !nodes_.All()[i].instance->IsOut())
      queue_.emplace(nodes_.All()[i].Time().mjd, i);
  }
}

bool RunLoop::IsAllOut() const {
  return std::ranges::all_of(nodes_.All(), [](const RunNode& node) { return node.instance->IsOut(); });
}

void RunLoop::OnLeaving(std::size_t component) {
  side_by_side_.Leave();
  groups_.Dissolve(component, nodes_.All());
  nodes_.Unwatch(component);
}

void RunLoop::OnExchanged() {
  nodes_.Bind();
  ChooseTriggers();
  FindTimeless();
  FillQueue();
  side_by_side_.Leave();
  groups_.Make(nodes_.All());
  FindLaggedLoop();
  nodes_.FindAhead();
  side_by_side_.MakeTasks();
  nodes_.Watch();
}

Stamp RunLoop::CurrentTime() const {
  Stamp earliest = kFarFuture;
  bool is_waiting = false;
  const auto look = [&](const RunNode& node) {
    const Stamp time = node.Time();
    if (time != kFarPast) {
      earliest = std::min(earliest, time);
    } else {
      is_waiting = is_waiting || node.CanUpdate();
    }
  };
  if (mode_ == RunMode::Pull) {
    for (std::size_t trigger : triggers_) look(nodes_.All()[trigger]);
  } else {
    for (const RunNode& node : nodes_.All()) {
      if (!node.instance->IsOut()) look(node);
    }
  }
  if (earliest != kFarFuture) return earliest;
  return is_waiting && composition_.File().run ? composition_.File().run->from.value_or(nodes_.End()) : nodes_.End();
}

Stamp RunLoop::TimelessTarget() const {
  Stamp target = kFarFuture;
  for (const RunNode& node : nodes_.All()) {
    const Stamp time = node.Time();
    if (time != kFarPast && node.CanUpdate() && Before(time, nodes_.End())) target = std::min(target, node.Next());
  }
  const bool is_over = target == kFarFuture && timeless_.size() + pulled_only_ < nodes_.All().size();
  return is_over || target != kFarFuture ? target : Stamp{};  // any time is later than none
}

bool RunLoop::StepTimeless() {
  bool moved = false;
  for (std::size_t position : timeless_) {
    RunNode& node = nodes_.All()[position];
    if (!node.CanUpdate()) continue;
    nodes_.Noting(node, [&] { nodes_.Update(node); });
    moved = true;
  }
  return moved;
}

void RunLoop::SaveState(StateWriter& writer) const {
  writer.Write(round_.mjd);
  groups_.SaveState(writer);
}

void RunLoop::LoadState(StateReader& reader) {
  round_ = Stamp{reader.ReadDouble()};
  groups_.LoadState(reader);
  for (RunNode& node : nodes_.All()) {
    if (!node.IsTimeless()) node.time = node.Time();
  }
  FillQueue();
}

bool RunLoop::BringRecorded() {
  bool moved = false;
  for (const std::size_t position : recorded_) {
    RunNode& node = nodes_.All()[position];
    if (node.instance->IsOut() || node.IsTimeless()) continue;
    node.required = nodes_.End();
    node.time = node.Time();
    moved = nodes_.Noting(node, [&] { return nodes_.Bring(node); }) || moved;
  }
  return moved;
}

bool RunLoop::Advance(std::size_t most, const std::function<bool()>& is_enough) {
  passes_made_ = 1;
  const bool moved = Pass(most, is_enough) || (mode_ == RunMode::Pull && nodes_.End() != kFarFuture && BringRecorded());
  if (composition_.HeldCount() == seen_held_) return moved;
  seen_held_ = composition_.HeldCount();
  for (const std::size_t member : groups_.Held()) OnLeaving(member);
  OnExchanged();  // components that asked through a held one do not ask any more
  return true;
}

bool RunLoop::Pass(std::size_t most, const std::function<bool()>& is_enough) {
  const bool is_timed = nodes_.Times().Begin();
  const bool is_beside = side_by_side_.Pays();
  if (!is_timed && mode_ == RunMode::Pull && is_shallow_ && !nodes_.HasAfterUpdate() && groups_.IsEmpty() &&
      !is_beside && !has_lagged_loop_) {
    return triggers_.size() == 1 ? PullOne(nodes_.All()[triggers_.front()]) : PullOnly();
  }
  const bool moved = mode_ == RunMode::Pull ? Pull(is_beside ? std::max<std::size_t>(most, 1) : 0, is_enough)
                     : is_beside            ? StepSideBySide(is_enough)
                                            : StepFurthestBehind();
  if (is_timed) nodes_.Times().End();
  return moved;
}

bool RunLoop::PullOne(RunNode& node) {
  const Stamp before = node.time;
  const Stamp next = node.Next();
  if (!Before(before, next) || !Before(before, nodes_.End()) || next == kFarFuture || !node.CanUpdate()) return false;
  nodes_.SetFailed(node.number);
  node.UpdateComponent();
  nodes_.SetNoneFailed();
  node.time = node.Time();
  return Before(before, node.time);
}

bool RunLoop::PullOnly() {
  Stamp target = kFarFuture;
  for (std::size_t trigger : triggers_) {
    RunNode& node = nodes_.All()[trigger];
    node.next = node.Next();
    if (Before(node.time, node.next) && Before(node.time, nodes_.End()) && node.CanUpdate())
      target = std::min(target, node.next);
  }
  if (target == kFarFuture) return false;
  for (std::size_t trigger : triggers_) {
    RunNode& node = nodes_.All()[trigger];
    if (!Before(node.time, target)) continue;
    const Stamp before = node.time;
    nodes_.SetFailed(node.number);
    node.UpdateComponent();
    nodes_.SetNoneFailed();
    node.time = node.Time();
    if (!Before(before, node.time)) return false;
  }
  return true;
}

bool RunLoop::Pull(std::size_t most_beside, const std::function<bool()>& is_enough) {
  // `time` is the node's time when it was last read: the present time can only be later.
  Stamp target = kFarFuture;
  for (std::size_t trigger : triggers_) {
    RunNode& node = nodes_.All()[trigger];
    node.next = node.Next();
    if (!node.IsTimeless() && Before(node.time, node.next) && Before(node.time, nodes_.End()) && node.CanUpdate())
      target = std::min(target, node.next);
  }
  if (target == kFarFuture && are_triggers_timeless_) target = TimelessTarget();
  if (target == kFarFuture) return false;
  const bool is_beside = most_beside > 0;
  const std::size_t rounds = is_beside ? side_by_side_.Foresee(most_beside, triggers_) : 1;
  if (rounds == 1) {
    for (RunNode& node : nodes_.All()) node.required = node.is_trigger ? target : kFarPast;
    nodes_.RequireUpstream();
  }
  if (is_beside) return side_by_side_.Bring(rounds, is_enough, passes_made_);
  bool moved = false;
  for (RunNode& node : nodes_.All()) {
    if (!node.IsSwept() && !node.is_trigger && node.group == nullptr) continue;
    nodes_.SetFailed(node.number);
    moved = nodes_.Noting(node, [&] { return nodes_.Bring(node); }) || moved;
  }
  nodes_.SetNoneFailed();
  return moved;
}

bool RunLoop::StepFurthestBehind() {
  if (timeless_.size() + pulled_only_ == nodes_.All().size()) return StepTimeless();
  while (!queue_.empty()) {
    const auto [time, position] = queue_.top();
    queue_.pop();
    RunNode& node = nodes_.All()[position];
    const Stamp now = node.Time();
    if (!node.CanUpdate() || !Before(now, nodes_.End())) continue;
    if (Before(Stamp{time}, now)) {  // another component has pulled it further meanwhile
      queue_.emplace(now.mjd, position);
      continue;
    }
    if (Before(round_, now)) {
      round_ = now;
      StepTimeless();
    }
    if (nodes_.IsAnyAhead() && !is_shallow_ && node.IsSwept()) nodes_.BringProvidersOf(position);
    nodes_.Noting(node, [&] { nodes_.Update(node); });
    nodes_.RequireProgress(node, now);
    queue_.emplace(node.Time().mjd, position);
    return true;
  }
  return false;
}

bool RunLoop::StepSideBySide(const std::function<bool()>& is_enough) {
  if (timeless_.size() + pulled_only_ == nodes_.All().size()) return StepTimeless();
  batch_.clear();
  Stamp now = kFarFuture;
  while (!queue_.empty() && (batch_.empty() || queue_.top().first <= now.mjd)) {
    const auto [time, position] = queue_.top();
    queue_.pop();
    const RunNode& node = nodes_.All()[position];
    const Stamp there = node.Time();
    if (!node.CanUpdate() || !Before(there, nodes_.End())) continue;
    if (Before(Stamp{time}, there)) {  // another component has pulled it further meanwhile
      queue_.emplace(there.mjd, position);
      continue;
    }
    now = there;
    batch_.push_back(position);
  }
  if (batch_.empty()) return false;
  if (Before(round_, now)) {
    round_ = now;
    StepTimeless();
  }
  std::ranges::sort(batch_);
  side_by_side_.Step(batch_, now, is_enough, passes_made_);
  for (const std::size_t position : batch_) queue_.emplace(nodes_.All()[position].Time().mjd, position);
  return true;
}

}  // namespace openmi
