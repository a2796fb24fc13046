#include "composition/run/RunNodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/loops/LoopGroup.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

void BindNode(RunNode& node) {
  node.component = &node.instance->Runner();
  node.steps = node.instance->IsFrozen() ? node.instance->host.get() : node.instance->steps;
  node.apart = dynamic_cast<IUpdatesApart*>(node.component);
  node.is_pulled_only = node.apart != nullptr && node.apart->IsPulledOnly();
}

}  // namespace

RunNodes::RunNodes(Composition& composition, RunMode mode, std::size_t threads)
    : composition_(composition),
      mode_(mode),
      end_(composition.File().run ? composition.File().run->to.value_or(kFarFuture) : kFarFuture),
      times_(composition.Instances().size(), threads),
      failed_(composition.Instances().size()) {
  const LinkGraph& graph = composition.Graph();
  std::vector<bool> runs(graph.Count(), true);
  if (mode == RunMode::Pull) runs = graph.UpstreamOf(composition.Triggers());
  for (const Link* link : composition.EveryLink()) {
    if (link->End() != nullptr) link->End()->SetIdle(!runs[link->ToInstance()]);
  }
  std::vector<bool> in_loop(graph.Count(), false);
  std::vector<std::size_t> members;
  for (const auto& loop : graph.Loops()) {
    for (std::size_t member : loop) in_loop[member] = true;
    members.insert(members.end(), loop.begin(), loop.end());
  }
  const std::vector<bool> feeds_loop = graph.UpstreamOf(members);
  position_.assign(graph.Count(), graph.Count());
  for (std::size_t number : graph.UpstreamFirst()) {
    if (!runs[number]) continue;
    RunNode node;
    node.instance = &composition.Instances()[number];
    node.number = number;
    node.is_in_loop = in_loop[number];
    BindNode(node);
    node.is_watched = feeds_loop[number];
    for (std::size_t provider : graph.ProvidersOf(number)) {
      if (!in_loop[number] || !in_loop[provider]) node.providers.push_back(position_[provider]);
    }
    node.time = node.Time();
    position_[number] = nodes_.size();
    nodes_.push_back(std::move(node));
  }
}

RunNodes::~RunNodes() {
  for (auto& [component, subscription] : watched_) component->StatusChanged().Remove(subscription);
}

void RunNodes::Bind() {
  for (RunNode& node : nodes_) {
    const bool was_timeless = node.IsTimeless();
    BindNode(node);
    if (!was_timeless) node.time = node.Time();
  }
}

void RunNodes::Watch() {
  std::unordered_set<const IBaseLinkableComponent*> known;
  for (const auto& watched : watched_) known.insert(watched.first);
  for (const RunNode& node : nodes_) {
    if (!node.is_watched || node.instance->IsOut() || known.contains(node.component)) continue;
    const std::size_t number = node.number;
    const auto subscription = node.component->StatusChanged().Add([this, number](const auto& change) {
      TimeKeeper& keeper = times_.Keeper();
      if (change.new_status == LinkableComponentStatus::Updating) {
        if (times_.IsTimed()) keeper.Enter(number);
      } else if (change.old_status == LinkableComponentStatus::Updating && keeper.IsInside(number)) {
        keeper.Leave();
      }
    });
    watched_.emplace_back(node.component, subscription);
  }
}

void RunNodes::Unwatch(std::size_t component) {
  std::erase_if(watched_, [&](auto& watched) {
    if (watched.first != &composition_.Instances()[component].Runner()) return false;
    watched.first->StatusChanged().Remove(watched.second);
    return true;
  });
}

void RunNodes::UpdateGroup(RunNode& node) {
  try {
    node.group->Step();
  } catch (...) {
    node.failed = node.group->Failed() >= 0 ? static_cast<std::size_t>(node.group->Failed()) : node.number;
    throw;
  }
  if (node.group->IsBroken() || !after_update_) return;
  for (const std::size_t member : node.group->Members()) after_update_(member);
}

void RunNodes::FindAhead() {
  is_any_ahead_ = false;
  for (RunNode& node : nodes_) node.ahead.clear();
  for (const Link& link : composition_.Links()) {
    const std::size_t from = position_[link.FromInstance()];
    const std::size_t to = position_[link.ToInstance()];
    if (from >= nodes_.size() || to >= nodes_.size() ||
        (!nodes_[from].IsSwept() && !nodes_[to].IsSwept())) {  // a link of a loop
      continue;
    }
    RunNode::Ahead ahead{from, {}};
    for (const auto& adaptor : link.Adaptors()) {
      if (const auto* one = dynamic_cast<const ILookAhead*>(adaptor.get())) ahead.chain.push_back(one);
    }
    if (ahead.chain.empty()) continue;
    std::ranges::reverse(ahead.chain);
    nodes_[to].ahead.push_back(std::move(ahead));
    is_any_ahead_ = true;
  }
}

void RunNodes::RequireProviders(RunNode& node, bool foresees) {
  if (node.providers.empty()) return;
  const bool is_read = foresees || (mode_ == RunMode::Pull && node.is_trigger);
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
  for (const RunNode::Ahead& ahead : node.ahead) {
    RunNode& provider = nodes_[ahead.provider];
    const Stamp now = foresees ? provider.time : provider.Time();
    const Stamp then = foresees ? provider.next : provider.Next();
    const Days step = now != kFarPast && then != kFarFuture && Before(now, then) ? then - now : Days{};
    Stamp reach = wanted;
    for (const ILookAhead* adaptor : ahead.chain) reach = adaptor->ReachFor(reach, step);
    provider.required = std::max(provider.required, std::min(reach, std::max(wanted, end_)));
  }
}

void RunNodes::BringProvidersOf(std::size_t position) {
  visited_.clear();
  open_.assign(1, position);
  nodes_[position].required = nodes_[position].Next();
  while (!open_.empty()) {  // consumers first: a provider is visited after all consumers that ask it
    std::ranges::pop_heap(open_);
    const std::size_t next = open_.back();
    open_.pop_back();
    if (!visited_.empty() && visited_.back() == next) continue;
    visited_.push_back(next);
    RunNode& node = nodes_[next];
    node.time = node.Time();
    if (!Before(node.time, node.required)) continue;
    RequireProviders(node, false);
    for (const std::size_t provider : node.providers) {
      open_.push_back(provider);
      std::ranges::push_heap(open_);
    }
  }
  for (std::size_t i = visited_.size(); i-- > 1;) {  // all except the node itself, providers first
    RunNode& node = nodes_[visited_[i]];
    if (node.IsSwept() && Before(node.time, node.required)) {
      failed_ = node.number;
      Noting(node, [&] { Bring(node); });
    }
  }
  SetNoneFailed();
  for (const std::size_t one : visited_) nodes_[one].required = kFarPast;
}

void RunNodes::RequireProgress(const RunNode& node, Stamp before) const {
  if (Before(before, node.Time()) || !node.CanUpdate()) return;
  if (node.group != nullptr && node.group->IsBroken()) return;  // the step was undone; the group will be dissolved
  throw ModelError(
      {.component = node.instance->Id()},
      fmt::format("expected the time to advance in an update, found it still at {}", FormatIsoTime(before)),
      "let the component advance, or end Done");
}

}  // namespace openmi
