#include "composition/run/RunLoop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {

RunLoop::RunLoop(Composition& composition, RunMode mode)
    : composition_(composition),
      mode_(mode),
      end_(composition.File().run ? Stamp{composition.File().run->to_mjd} : kFarFuture),
      times_(composition.Instances().size()),
      failed_(composition.Instances().size()) {
  const LinkGraph& graph = composition.Graph();
  const std::vector<std::size_t> triggers = composition.Triggers();
  std::vector<bool> runs(graph.Count(), true);
  if (mode == RunMode::Pull) runs = graph.UpstreamOf(triggers);
  std::vector<bool> in_loop(graph.Count(), false);
  for (const auto& loop : graph.Loops()) {
    for (std::size_t member : loop) in_loop[member] = true;
  }
  position_.assign(graph.Count(), graph.Count());
  for (std::size_t number : graph.UpstreamFirst()) {
    if (!runs[number]) continue;
    Instance& instance = composition.Instances()[number];
    Node node;
    node.instance = &instance;
    node.number = number;
    Bind(node);
    node.is_swept = !in_loop[number];
    for (std::size_t provider : graph.ProvidersOf(number)) {
      if (!in_loop[number] || !in_loop[provider]) node.providers.push_back(position_[provider]);
    }
    node.time = node.Time();
    position_[number] = nodes_.size();
    nodes_.push_back(std::move(node));
  }
  for (std::size_t trigger : triggers) wanted_triggers_.push_back(position_[trigger]);
  ChooseTriggers();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].IsTimeless()) timeless_.push_back(i);
  }
  FillQueue();
  constexpr std::size_t kShallow = 64;  // a chain this long fits any stack
  is_shallow_ = graph.LongestChain() <= kShallow &&
                std::ranges::all_of(nodes_, [](const Node& node) { return node.steps != nullptr; });
  WatchLoops();
  composition_.AddListener(*this);
}

RunLoop::~RunLoop() {
  composition_.RemoveListener(*this);
  for (auto& [component, subscription] : watched_) component->StatusChanged().Remove(subscription);
}

void RunLoop::Bind(Node& node) {
  node.component = &node.instance->Runner();
  node.steps = node.instance->IsFrozen() ? node.instance->host.get() : node.instance->steps;
}

void RunLoop::ChooseTriggers() {
  triggers_.clear();
  for (Node& node : nodes_) node.is_trigger = false;
  std::vector<bool> reached(nodes_.size(), false);
  std::vector<std::size_t> open;
  const auto take = [&](std::size_t trigger) {
    nodes_[trigger].is_trigger = true;
    triggers_.push_back(trigger);
    reached[trigger] = true;
    open.push_back(trigger);
    while (!open.empty()) {
      const std::size_t number = nodes_[open.back()].number;
      open.pop_back();
      for (std::size_t provider : composition_.Graph().ProvidersOf(number)) {
        const std::size_t position = position_[provider];
        if (position >= nodes_.size() || reached[position] || nodes_[position].instance->IsFrozen()) continue;
        reached[position] = true;
        open.push_back(position);
      }
    }
  };
  bool is_any_frozen = false;
  for (const Node& node : nodes_) is_any_frozen = is_any_frozen || node.instance->IsFrozen();
  for (std::size_t trigger : wanted_triggers_) {
    if (!nodes_[trigger].instance->IsFrozen()) take(trigger);
  }
  for (std::size_t i = nodes_.size(); is_any_frozen && mode_ == RunMode::Pull && i-- > 0;) {
    if (!reached[i] && !nodes_[i].instance->IsFrozen()) take(i);
  }
  are_triggers_timeless_ = true;
  for (std::size_t trigger : triggers_) {
    are_triggers_timeless_ = are_triggers_timeless_ && nodes_[trigger].IsTimeless();
  }
}

void RunLoop::FillQueue() {
  if (mode_ != RunMode::Step) return;
  queue_ = {};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].IsTimeless() && !nodes_[i].instance->IsFrozen()) queue_.emplace(nodes_[i].Time().mjd, i);
  }
}

bool RunLoop::IsAllFrozen() const {
  return std::ranges::all_of(nodes_, [](const Node& node) { return node.instance->IsFrozen(); });
}

void RunLoop::OnLeaving(std::size_t component) {
  std::erase_if(watched_, [&](auto& watched) {
    if (watched.first != &composition_.Instances()[component].Runner()) return false;
    watched.first->StatusChanged().Remove(watched.second);
    return true;
  });
}

void RunLoop::OnExchanged() {
  for (Node& node : nodes_) {
    const bool was_timeless = node.IsTimeless();
    Bind(node);
    if (!was_timeless) node.time = node.Time();
  }
  ChooseTriggers();
  FillQueue();
  WatchLoops();
}

void RunLoop::WatchLoops() {
  // Members of loops are updated from within each other: their status tells when.
  for (const Node& node : nodes_) {
    if (node.is_swept || node.instance->IsFrozen()) continue;
    if (std::ranges::any_of(watched_, [&](const auto& watched) { return watched.first == node.component; })) continue;
    const std::size_t number = node.number;
    const auto subscription = node.component->StatusChanged().Add([this, number](const auto& change) {
      if (change.new_status == LinkableComponentStatus::Updating) {
        if (is_timed_) times_.Enter(number);
      } else if (change.old_status == LinkableComponentStatus::Updating && times_.IsInside(number)) {
        times_.Leave();
      }
    });
    watched_.emplace_back(node.component, subscription);
  }
}

Stamp RunLoop::CurrentTime() const {
  Stamp earliest = kFarFuture;
  bool is_waiting = false;
  const auto look = [&](const Node& node) {
    const Stamp time = node.Time();
    if (time != kFarPast) {
      earliest = std::min(earliest, time);
    } else {
      is_waiting = is_waiting || node.CanUpdate();
    }
  };
  if (mode_ == RunMode::Pull) {
    for (std::size_t trigger : triggers_) look(nodes_[trigger]);
  } else {
    for (const Node& node : nodes_) {
      if (!node.instance->IsFrozen()) look(node);
    }
  }
  if (earliest != kFarFuture) return earliest;
  return is_waiting && composition_.File().run ? Stamp{composition_.File().run->from_mjd} : end_;
}

Stamp RunLoop::TimelessTarget() const {
  Stamp target = kFarFuture;
  for (const Node& node : nodes_) {
    const Stamp time = node.Time();
    if (time != kFarPast && node.CanUpdate() && Before(time, end_)) target = std::min(target, node.Next());
  }
  const bool is_over = target == kFarFuture && timeless_.size() < nodes_.size();
  return is_over || target != kFarFuture ? target : Stamp{};  // any time is later than none
}

bool RunLoop::StepTimeless() {
  bool moved = false;
  for (std::size_t position : timeless_) {
    if (!nodes_[position].CanUpdate()) continue;
    Update(nodes_[position]);
    moved = true;
  }
  return moved;
}

void RunLoop::Update(Node& node) {
  try {
    if (node.is_swept && is_timed_) {
      times_.Enter(node.number);
      node.component->Update({});
      times_.Leave();
    } else {
      node.component->Update({});  // timed by its status, or not in this pass
    }
  } catch (...) {
    failed_ = node.number;
    throw;
  }
  if (after_update_) after_update_(node.number);
}

bool RunLoop::Advance() {
  // A pass shorter than some microseconds would be slowed down by watching it: one in sixty-four is.
  constexpr std::uint64_t kSampled = 64;
  constexpr std::uint64_t kLongTicks = 10'000;
  is_timed_ = is_long_ || passes_ % kSampled == 0;
  ++passes_;
  if (!is_timed_) {
    if (mode_ == RunMode::Step) return StepFurthestBehind();
    return is_shallow_ && !after_update_ ? PullOnly() : Pull();
  }
  times_.SetWeight(is_long_ ? 1 : kSampled);
  const std::uint64_t begin = TimeKeeper::Ticks();
  const bool moved = mode_ == RunMode::Pull ? Pull() : StepFurthestBehind();
  is_long_ = TimeKeeper::Ticks() - begin > kLongTicks;
  return moved;
}

bool RunLoop::PullOnly() {
  Stamp target = kFarFuture;
  for (std::size_t trigger : triggers_) {
    Node& node = nodes_[trigger];
    node.next = node.Next();
    if (Before(node.time, node.next) && Before(node.time, end_) && node.CanUpdate())
      target = std::min(target, node.next);
  }
  if (target == kFarFuture) return false;
  for (std::size_t trigger : triggers_) {
    Node& node = nodes_[trigger];
    if (!Before(node.time, target)) continue;
    const Stamp before = node.time;
    failed_ = node.number;
    node.component->Update({});
    failed_ = composition_.Instances().size();
    node.time = node.Time();
    if (!Before(before, node.time)) return false;
  }
  return true;
}

bool RunLoop::Pull() {
  // `time` is what a node's clock showed when it was last read: later readings can only be later.
  Stamp target = kFarFuture;
  for (std::size_t trigger : triggers_) {
    Node& node = nodes_[trigger];
    node.next = node.Next();
    if (!node.IsTimeless() && Before(node.time, node.next) && Before(node.time, end_) && node.CanUpdate())
      target = std::min(target, node.next);
  }
  if (target == kFarFuture && are_triggers_timeless_) target = TimelessTarget();
  if (target == kFarFuture) return false;
  for (Node& node : nodes_) node.required = node.is_trigger ? target : kFarPast;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (!Before(node.time, node.required) || node.providers.empty()) continue;
    const Stamp wanted = std::max(node.required, node.is_trigger ? node.next : node.Next());
    for (std::size_t provider : node.providers) nodes_[provider].required = std::max(nodes_[provider].required, wanted);
  }
  bool moved = false;
  for (Node& node : nodes_) {
    if (!node.is_swept && !node.is_trigger) continue;
    while (Before(node.time, node.required)) {
      const Stamp before = node.Time();  // others may have pulled it on
      node.time = before;
      if (!Before(before, node.required) || !node.CanUpdate()) break;
      Update(node);
      moved = true;
      node.time = node.Time();
      if (!Before(before, node.time)) break;
    }
  }
  return moved;
}

bool RunLoop::StepFurthestBehind() {
  if (timeless_.size() == nodes_.size()) return StepTimeless();
  while (!queue_.empty()) {
    const auto [time, position] = queue_.top();
    queue_.pop();
    Node& node = nodes_[position];
    const Stamp now = node.Time();
    if (!node.CanUpdate() || !Before(now, end_)) continue;
    if (Before(Stamp{time}, now)) {  // it went on meanwhile, pulled by another
      queue_.emplace(now.mjd, position);
      continue;
    }
    if (Before(round_, now)) {
      round_ = now;
      StepTimeless();
    }
    Update(node);
    if (!Before(now, node.Time()) && node.CanUpdate()) {
      throw ModelError({.component = node.instance->Id()},
                       fmt::format("expected time to go on at an update, found it still at {}", FormatIsoTime(now.mjd)),
                       "let the component advance, or end Done");
    }
    queue_.emplace(node.Time().mjd, position);
    return true;
  }
  return false;
}

}  // namespace openmi
