#include "composition/run/RunLoop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi {

RunLoop::RunLoop(Composition& composition, RunMode mode, std::size_t threads)
    : composition_(composition),
      mode_(mode),
      threads_(threads),
      end_(composition.File().run ? Stamp{composition.File().run->to_mjd} : kFarFuture),
      times_(composition.Instances().size(), std::max<std::size_t>(1, threads)),
      failed_(composition.Instances().size()) {
  const LinkGraph& graph = composition.Graph();
  const std::vector<std::size_t> triggers = composition.Triggers();
  std::vector<bool> runs(graph.Count(), true);
  if (mode == RunMode::Pull) runs = graph.UpstreamOf(triggers);
  for (const Link* link : composition.EveryLink()) {
    if (link->End() != nullptr) link->End()->SetIdle(!runs[link->ToInstance()]);
  }
  std::vector<bool> in_loop(graph.Count(), false);
  for (const auto& loop : graph.Loops()) {
    for (std::size_t member : loop) in_loop[member] = true;
  }
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < in_loop.size(); ++i) {
    if (in_loop[i]) members.push_back(i);
  }
  const std::vector<bool> feeds_loop = graph.UpstreamOf(members);
  position_.assign(graph.Count(), graph.Count());
  for (std::size_t number : graph.UpstreamFirst()) {
    if (!runs[number]) continue;
    Instance& instance = composition.Instances()[number];
    Node node;
    node.instance = &instance;
    node.number = number;
    Bind(node);
    node.is_swept = !in_loop[number];
    node.is_watched = feeds_loop[number];
    for (std::size_t provider : graph.ProvidersOf(number)) {
      if (!in_loop[number] || !in_loop[provider]) node.providers.push_back(position_[provider]);
    }
    node.time = node.Time();
    position_[number] = nodes_.size();
    nodes_.push_back(std::move(node));
  }
  for (std::size_t trigger : triggers) wanted_triggers_.push_back(position_[trigger]);
  for (std::size_t recorded : composition.Recorded()) {
    if (position_[recorded] < nodes_.size()) recorded_.push_back(position_[recorded]);
  }
  ChooseTriggers();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].IsTimeless()) timeless_.push_back(i);
  }
  FillQueue();
  constexpr std::size_t kShallow = 64;  // a chain of this length fits on any stack
  is_shallow_ = graph.LongestChain() <= kShallow && !composition.IsAnyFreezing() &&
                std::ranges::all_of(nodes_, [](const Node& node) { return node.steps != nullptr; });
  MakeLoops();
  has_lagged_loop_ =
      std::ranges::any_of(nodes_, [](const Node& node) { return !node.is_swept && node.group == nullptr; });
  FindAhead();
  MakeTasks();
  WatchLoops();
  composition_.AddListener(*this);
}

void RunLoop::MakeGroups() {
  for (const IterateSpec& spec : composition_.File().iterates) {
    const bool is_there = std::ranges::any_of(groups_, [&](const auto& group) { return &group->Spec() == &spec; });
    const bool is_whole = std::ranges::all_of(spec.components, [this](const std::string& id) {
      return !composition_.Instances()[composition_.IndexOf(id).value()].IsOut();
    });
    if (is_there || !is_whole) continue;  // without a member, the others answer each other with the values they have
    auto group = std::make_unique<LoopGroup>(composition_, spec);
    TakeUpLearned(*group);
    for (Node& node : nodes_) {
      if (std::ranges::find(group->Members(), node.number) != group->Members().end()) node.group = group.get();
    }
    groups_.push_back(std::move(group));
  }
}

void RunLoop::TakeUpLearned(LoopGroup& group) {
  const auto past = std::ranges::find_if(dissolved_, [&](const Dissolved& one) {
    return one.spec == &group.Spec() && SameTime(one.time, group.CurrentTime());
  });
  if (past == dissolved_.end()) return;
  StateReader learned(past->learned);
  group.LoadState(learned);
  dissolved_.erase(past);  // the group takes over its figures
}

void RunLoop::MakeLoops() {
  std::vector<std::size_t> loop_of(composition_.Instances().size(), 0);  // 0: none
  MakeGroups();
  std::size_t count = 0;
  for (const auto& loop : composition_.Graph().Loops()) {
    ++count;
    for (const std::size_t member : loop) loop_of[member] = count;
  }
  for (Link& link : composition_.Links()) {
    if (link.Spec().loop != LoopAnswer::Extrapolate || link.End() == nullptr) continue;
    const std::size_t loop = loop_of[link.FromInstance()];
    const bool is_iterated = std::ranges::any_of(groups_, [&](const auto& group) {
      return std::ranges::find(group->Members(), link.FromInstance()) != group->Members().end();
    });
    if (loop == 0 || loop != loop_of[link.ToInstance()] || is_iterated) continue;
    extrapolated_.push_back(std::make_unique<ExtrapolatedLink>(link));
  }
}

std::vector<LoopFigures> RunLoop::Loops() const {
  std::vector<LoopFigures> loops;
  for (const IterateSpec& spec : composition_.File().iterates) {
    LoopFigures figures;
    for (const Dissolved& past : dissolved_) {
      if (past.spec == &spec) figures.Add(past.figures);
    }
    for (const auto& group : groups_) {
      if (&group->Spec() == &spec) figures.Add(group->Figures());
    }
    if (!figures.cycle.empty()) loops.push_back(std::move(figures));
  }
  return loops;
}

std::vector<const Link*> RunLoop::IdleExtrapolations() const {
  std::vector<const Link*> idle;
  for (const auto& link : extrapolated_) {
    if (!link->WasNeeded()) idle.push_back(&link->Of());
  }
  return idle;
}

RunLoop::~RunLoop() {
  composition_.RemoveListener(*this);
  for (auto& [component, subscription] : watched_) component->StatusChanged().Remove(subscription);
}

void RunLoop::Bind(Node& node) {
  node.component = &node.instance->Runner();
  node.steps = node.instance->IsFrozen() ? node.instance->host.get() : node.instance->steps;
  node.apart = dynamic_cast<IsolatedComponent*>(node.component);
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
        if (position >= nodes_.size() || reached[position] || nodes_[position].instance->IsOut()) continue;
        reached[position] = true;
        open.push_back(position);
      }
    }
  };
  bool is_any_frozen = false;
  for (const Node& node : nodes_) is_any_frozen = is_any_frozen || node.instance->IsOut();
  for (std::size_t trigger : wanted_triggers_) {
    if (!nodes_[trigger].instance->IsOut()) take(trigger);
  }
  for (std::size_t i = nodes_.size(); is_any_frozen && mode_ == RunMode::Pull && i-- > 0;) {
    if (!reached[i] && !nodes_[i].instance->IsOut()) take(i);
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
    if (!nodes_[i].IsTimeless() && !nodes_[i].instance->IsOut()) queue_.emplace(nodes_[i].Time().mjd, i);
  }
}

bool RunLoop::IsAllFrozen() const {
  return std::ranges::all_of(nodes_, [](const Node& node) { return node.instance->IsOut(); });
}

void RunLoop::OnLeaving(std::size_t component) {
  parallel_update_.reset();
  std::erase_if(groups_, [&](const auto& group) {
    if (std::ranges::find(group->Members(), component) == group->Members().end()) return false;
    StateWriter learned;
    group->SaveState(learned);
    dissolved_.push_back({&group->Spec(), group->Figures(), learned.Take(), group->CurrentTime()});
    for (Node& node : nodes_) {
      if (node.group == group.get()) node.group = nullptr;
    }
    return true;
  });
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
  parallel_update_.reset();
  MakeGroups();
  FindAhead();
  MakeTasks();
  WatchLoops();
}

void RunLoop::WatchLoops() {
  // Members of loops, and the components that they ask for values, are updated from within each other: their status
  // shows when.
  std::unordered_set<const IBaseLinkableComponent*> known;
  for (const auto& watched : watched_) known.insert(watched.first);
  for (const Node& node : nodes_) {
    if (!node.is_watched || node.instance->IsOut() || known.contains(node.component)) continue;
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
      if (!node.instance->IsOut()) look(node);
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
    try {
      Update(nodes_[position]);
    } catch (...) {
      failed_ = nodes_[position].failed;
      throw;
    }
    moved = true;
  }
  return moved;
}

void RunLoop::UpdateGroup(Node& node) {
  try {
    node.group->Step();
  } catch (...) {
    node.failed = node.group->Failed() >= 0 ? static_cast<std::size_t>(node.group->Failed()) : node.number;
    throw;
  }
  if (node.group->IsBroken()) return;
  if (!after_update_) return;
  for (const std::size_t member : node.group->Members()) after_update_(member);
}

void RunLoop::SaveState(StateWriter& writer) const {
  writer.Write(round_.mjd);
  writer.Write(static_cast<std::int64_t>(groups_.size()));
  for (const auto& group : groups_) {
    StateWriter own;
    group->SaveState(own);
    writer.Write(static_cast<std::int64_t>(&group->Spec() - composition_.File().iterates.data()));
    writer.Write(own.Bytes());
  }
}

void RunLoop::LoadState(StateReader& reader) {
  round_ = Stamp{reader.ReadDouble()};
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::int64_t number = reader.ReadInteger();
    StateReader own(reader.ReadBytes());
    for (const auto& group : groups_) {
      if (&group->Spec() - composition_.File().iterates.data() == number) group->LoadState(own);
    }
  }
  for (Node& node : nodes_) {
    if (!node.IsTimeless()) node.time = node.Time();
  }
  FillQueue();
}

void RunLoop::Update(Node& node) {
  if (node.group != nullptr) {
    UpdateGroup(node);
    return;
  }
  const bool is_updated = UpdateBy(node, [this, &node] {
    if (!node.is_watched && is_timed_) {
      times_.Enter(node.number);
      node.UpdateComponent();
      times_.Leave();
    } else {
      node.UpdateComponent();  // timed by its status, or not in this pass
    }
  });
  if (is_updated && after_update_) after_update_(node.number);
}

bool RunLoop::BringRecorded() {
  bool moved = false;
  for (const std::size_t position : recorded_) {
    Node& node = nodes_[position];
    if (node.instance->IsOut() || node.IsTimeless()) continue;
    node.required = end_;
    node.time = node.Time();
    try {
      moved = Bring(node) || moved;
    } catch (...) {
      failed_ = node.failed;
      throw;
    }
  }
  return moved;
}

bool RunLoop::Advance(std::size_t most, const std::function<bool()>& is_enough) {
  most_rounds_ = most;
  rounds_made_ = 1;
  is_enough_ = is_enough;
  const bool moved = Pass() || (mode_ == RunMode::Pull && end_ != kFarFuture && BringRecorded());
  if (composition_.HeldCount() == seen_held_) return moved;
  seen_held_ = composition_.HeldCount();
  std::vector<std::size_t> held;
  for (const auto& group : groups_) {
    const auto& members = group->Members();
    const auto out =
        std::ranges::find_if(members, [this](std::size_t i) { return composition_.Instances()[i].IsOut(); });
    if (out != members.end()) held.push_back(*out);
  }
  for (const std::size_t member : held) OnLeaving(member);
  OnExchanged();  // components that asked through a held one do not ask any more
  return true;
}

bool RunLoop::Pass() {
  // Timing a pass shorter than some microseconds would slow it down. After the first thousand passes, one in sixty-four
  // is timed. The timed passes are scattered, so that work that is done every so many passes is sampled in proportion.
  // A timed pass stands for the passes since the one before.
  constexpr std::uint64_t kWatched = 1024;
  constexpr std::uint64_t kLongTicks = 10'000;
  const auto is_sampled = [](std::uint64_t pass) { return (pass * 0x9E3779B97F4A7C15U) >> 58 == 0; };
  is_timed_ = is_long_ || passes_ < kWatched || times_.KeepsStepTimes() || is_sampled(passes_);
  ++passes_;
  is_beside_ = parallel_update_ != nullptr && parallel_update_->Pays();
  if (!is_timed_) {
    if (mode_ == RunMode::Step) return is_beside_ ? StepSideBySide() : StepFurthestBehind();
    if (!is_shallow_ || after_update_ || !groups_.empty() || is_beside_ || has_lagged_loop_) return Pull();
    return triggers_.size() == 1 ? PullOne(nodes_[triggers_.front()]) : PullOnly();
  }
  times_.SetWeight(passes_ - timed_passes_);
  timed_passes_ = passes_;
  const std::uint64_t begin = TimeKeeper::Ticks();
  const bool moved = mode_ == RunMode::Pull ? Pull() : is_beside_ ? StepSideBySide() : StepFurthestBehind();
  is_long_ = TimeKeeper::Ticks() - begin > kLongTicks;
  return moved;
}

bool RunLoop::PullOne(Node& node) {
  const Stamp before = node.time;
  const Stamp next = node.Next();
  if (!Before(before, next) || !Before(before, end_) || next == kFarFuture || !node.CanUpdate()) return false;
  failed_ = node.number;
  node.UpdateComponent();
  failed_ = position_.size();
  node.time = node.Time();
  return Before(before, node.time);
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
    node.UpdateComponent();
    failed_ = position_.size();
    node.time = node.Time();
    if (!Before(before, node.time)) return false;
  }
  return true;
}

bool RunLoop::Pull() {
  // `time` is the node's time when it was last read: the present time can only be later.
  Stamp target = kFarFuture;
  for (std::size_t trigger : triggers_) {
    Node& node = nodes_[trigger];
    node.next = node.Next();
    if (!node.IsTimeless() && Before(node.time, node.next) && Before(node.time, end_) && node.CanUpdate())
      target = std::min(target, node.next);
  }
  if (target == kFarFuture && are_triggers_timeless_) target = TimelessTarget();
  if (target == kFarFuture) return false;
  const std::size_t rounds = is_beside_ ? Foresee(most_rounds_) : 1;
  if (rounds == 1) {
    for (Node& node : nodes_) node.required = node.is_trigger ? target : kFarPast;
    RequireUpstream();
  }
  if (is_beside_) return BringSideBySide(rounds);
  bool moved = false;
  for (Node& node : nodes_) {
    if (!node.is_swept && !node.is_trigger && node.group == nullptr) continue;
    failed_ = node.number;
    try {
      moved = Bring(node) || moved;
    } catch (...) {
      failed_ = node.failed;
      throw;
    }
  }
  failed_ = composition_.Instances().size();
  return moved;
}

void RunLoop::FindAhead() {
  is_any_ahead_ = false;
  for (Node& node : nodes_) node.ahead.clear();
  for (const Link& link : composition_.Links()) {
    const std::size_t from = position_[link.FromInstance()];
    const std::size_t to = position_[link.ToInstance()];
    if (from >= nodes_.size() || to >= nodes_.size() ||
        (!nodes_[from].is_swept && !nodes_[to].is_swept)) {  // a link of a loop
      continue;
    }
    Ahead ahead{from, {}};
    for (const auto& adaptor : link.Adaptors()) {
      if (const auto* one = dynamic_cast<const ILookAhead*>(adaptor.get())) ahead.chain.push_back(one);
    }
    if (ahead.chain.empty()) continue;
    std::ranges::reverse(ahead.chain);
    nodes_[to].ahead.push_back(std::move(ahead));
    is_any_ahead_ = true;
  }
}

void RunLoop::RequireUpstream() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (Before(nodes_[i].time, nodes_[i].required)) RequireProviders(nodes_[i]);
  }
}

void RunLoop::RequireProviders(Node& node) {
  if (node.providers.empty()) return;
  const bool is_read = is_foreseeing_ || (mode_ == RunMode::Pull && node.is_trigger);
  const Stamp next = is_read ? node.next : node.Next();
  Stamp wanted = std::max(node.required, next);
  if (Before(next, node.required) && Before(node.time, next)) {
    // Several steps, as far as they can be foreseen with equal length. The last one may end later than required.
    const Days step = next - node.time;
    wanted = node.time + step * std::ceil((node.required - node.time) / step - kTimeTolerance / step);
    if (Before(end_, wanted)) wanted = std::max(node.required, end_);
  }
  for (const std::size_t provider : node.providers) {
    nodes_[provider].required = std::max(nodes_[provider].required, wanted);
  }
  for (const Ahead& ahead : node.ahead) {
    Node& provider = nodes_[ahead.provider];
    const Stamp now = is_foreseeing_ ? provider.time : provider.Time();
    const Stamp then = is_foreseeing_ ? provider.next : provider.Next();
    const Days step = now != kFarPast && then != kFarFuture && Before(now, then) ? then - now : Days{};
    Stamp reach = wanted;
    for (const ILookAhead* adaptor : ahead.chain) reach = adaptor->ReachFor(reach, step);
    provider.required = std::max(provider.required, std::min(reach, std::max(wanted, end_)));
  }
}

void RunLoop::BringProvidersOf(std::size_t position) {
  visited_.clear();
  open_.assign(1, position);
  nodes_[position].required = nodes_[position].Next();
  while (!open_.empty()) {  // consumers first: a provider is visited after all consumers that ask it
    std::ranges::pop_heap(open_);
    const std::size_t next = open_.back();
    open_.pop_back();
    if (!visited_.empty() && visited_.back() == next) continue;
    visited_.push_back(next);
    Node& node = nodes_[next];
    node.time = node.Time();
    if (!Before(node.time, node.required)) continue;
    RequireProviders(node);
    for (const std::size_t provider : node.providers) {
      open_.push_back(provider);
      std::ranges::push_heap(open_);
    }
  }
  for (std::size_t i = visited_.size(); i-- > 1;) {  // all except the node itself, providers first
    Node& node = nodes_[visited_[i]];
    if (node.is_swept && Before(node.time, node.required)) {
      failed_ = node.number;
      try {
        Bring(node);
      } catch (...) {
        failed_ = node.failed;
        throw;
      }
    }
  }
  failed_ = composition_.Instances().size();
  for (const std::size_t one : visited_) nodes_[one].required = kFarPast;
}

bool RunLoop::Bring(Node& node) {
  bool moved = false;
  while (Before(node.time, node.required)) {
    const Stamp before = node.Time();  // others may have pulled it further
    node.time = before;
    if (!Before(before, node.required) || !node.CanUpdate()) break;
    Update(node);
    moved = true;
    node.time = node.Time();
    if (!Before(before, node.time)) break;
  }
  return moved;
}

void RunLoop::StepNode(Node& node, Stamp now) {
  try {
    Update(node);
  } catch (...) {
    failed_ = node.failed;
    throw;
  }
  RequireProgress(node, now);
}

void RunLoop::RequireProgress(const Node& node, Stamp before) const {
  if (Before(before, node.Time()) || !node.CanUpdate()) return;
  if (node.group != nullptr && node.group->IsBroken()) return;  // the step was undone; the group will be dissolved
  throw ModelError({.component = node.instance->Id()},
                   fmt::format("expected time to go on at an update, found it still at {}", FormatIsoTime(before.mjd)),
                   "let the component advance, or end Done");
}

bool RunLoop::StepFurthestBehind() {
  if (timeless_.size() == nodes_.size()) return StepTimeless();
  while (!queue_.empty()) {
    const auto [time, position] = queue_.top();
    queue_.pop();
    Node& node = nodes_[position];
    const Stamp now = node.Time();
    if (!node.CanUpdate() || !Before(now, end_)) continue;
    if (Before(Stamp{time}, now)) {  // another component has pulled it further meanwhile
      queue_.emplace(now.mjd, position);
      continue;
    }
    if (Before(round_, now)) {
      round_ = now;
      StepTimeless();
    }
    if (is_any_ahead_ && !is_shallow_ && node.is_swept) BringProvidersOf(position);
    StepNode(node, now);
    queue_.emplace(node.Time().mjd, position);
    return true;
  }
  return false;
}

}  // namespace openmi
