#include "composition/run/LoopGroups.hpp"

#include <algorithm>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

bool IsMember(const LoopGroup& group, std::size_t component) {
  return std::ranges::find(group.Members(), component) != group.Members().end();
}

}  // namespace

void LoopGroups::Make(std::span<RunNode> nodes) {
  for (const IterateSpec& spec : composition_.File().iterates) {
    const bool is_there = std::ranges::any_of(groups_, [&](const auto& group) { return &group->Spec() == &spec; });
    const bool is_whole = std::ranges::all_of(spec.components, [this](const std::string& id) {
      return !composition_.Instances()[composition_.IndexOf(id).value()].IsOut();
    });
    if (is_there || !is_whole) continue;  // without a member, the others answer each other with the values they have
    LoopGroup& group = *groups_.emplace_back(std::make_unique<LoopGroup>(composition_, spec));
    TakeUpLearned(group);
    for (RunNode& node : nodes) {
      if (IsMember(group, node.number)) node.group = &group;
    }
  }
}

void LoopGroups::TakeUpLearned(LoopGroup& group) {
  const auto past = std::ranges::find_if(dissolved_, [&](const Dissolved& one) {
    return one.spec == &group.Spec() && SameTime(one.time, group.CurrentTime());
  });
  if (past == dissolved_.end()) return;
  StateReader learned(past->learned);
  group.LoadState(learned);
  dissolved_.erase(past);  // the group takes over its figures
}

void LoopGroups::MakeExtrapolated() {
  std::vector<std::size_t> loop_of(composition_.Instances().size(), 0);  // 0: none
  std::size_t count = 0;
  for (const auto& loop : composition_.Graph().Loops()) {
    ++count;
    for (const std::size_t member : loop) loop_of[member] = count;
  }
  for (Link& link : composition_.Links()) {
    if (link.Spec().loop != LoopAnswer::Extrapolate || link.End() == nullptr) continue;
    const std::size_t loop = loop_of[link.FromInstance()];
    const bool is_iterated =
        std::ranges::any_of(groups_, [&](const auto& group) { return IsMember(*group, link.FromInstance()); });
    if (loop == 0 || loop != loop_of[link.ToInstance()] || is_iterated) continue;
    extrapolated_.push_back(std::make_unique<ExtrapolatedLink>(link));
  }
}

void LoopGroups::Dissolve(std::size_t component, std::span<RunNode> nodes) {
  std::erase_if(groups_, [&](const auto& group) {
    if (!IsMember(*group, component)) return false;
    StateWriter learned;
    group->SaveState(learned);
    dissolved_.push_back({&group->Spec(), group->Figures(), learned.Take(), group->CurrentTime()});
    for (RunNode& node : nodes) {
      if (node.group == group.get()) node.group = nullptr;
    }
    return true;
  });
}

std::vector<std::size_t> LoopGroups::Held() const {
  std::vector<std::size_t> held;
  for (const auto& group : groups_) {
    const auto& members = group->Members();
    const auto out =
        std::ranges::find_if(members, [this](std::size_t i) { return composition_.Instances()[i].IsOut(); });
    if (out != members.end()) held.push_back(*out);
  }
  return held;
}

std::vector<LoopFigures> LoopGroups::Figures() const {
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

std::vector<const Link*> LoopGroups::IdleExtrapolations() const {
  std::vector<const Link*> idle;
  for (const auto& link : extrapolated_) {
    if (!link->WasNeeded()) idle.push_back(&link->Of());
  }
  return idle;
}

void LoopGroups::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(groups_.size()));
  for (const auto& group : groups_) {
    StateWriter own;
    group->SaveState(own);
    writer.Write(static_cast<std::int64_t>(&group->Spec() - composition_.File().iterates.data()));
    writer.Write(own.Bytes());
  }
}

void LoopGroups::LoadState(StateReader& reader) {
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::int64_t number = reader.ReadInteger();
    StateReader own(reader.ReadBytes());
    for (const auto& group : groups_) {
      if (&group->Spec() - composition_.File().iterates.data() == number) group->LoadState(own);
    }
  }
}

}  // namespace openmi
