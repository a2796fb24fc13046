#include "fmi-bridge/dcp/slave/MissedInputs.hpp"

#include <algorithm>

namespace openmi::dcp {

void MissedInputs::Prepare() {
  watched_.clear();
  is_first_ = false;
  for (auto& [id, group] : configuration_.Inputs()) {
    if (group.layout.IsEmpty()) continue;
    watched_.push_back({.id = id,
                        .group = &group,
                        .at_initialization = configuration_.IsInScope(id, true),
                        .in_run = configuration_.IsInScope(id, false),
                        .others = {}});
  }
  for (Watched& one : watched_) {
    for (const DataLayout::Place& place : one.group->layout.Places()) {
      auto& others = one.others.emplace_back();
      for (const Watched& other : watched_) {
        const bool has_it = std::ranges::any_of(other.group->layout.Places(),
                                                [&](const DataLayout::Place& its) { return its.value == place.value; });
        if (&other != &one && other.in_run && has_it) others.push_back(other.group);
      }
    }
  }
}

void MissedInputs::Mark() {
  for (const Watched& one : watched_) one.group->taken_before = one.group->taken;
}

void MissedInputs::MarkBegin() {
  Mark();
  is_first_ = true;
}

bool MissedInputs::AllAreNew() const {
  return !watched_.empty() &&
         std::ranges::all_of(watched_, [](const Watched& one) { return !one.in_run || IsNew(*one.group); });
}

bool MissedInputs::Lacks(const Watched& watched, bool at_initialization) const {
  if (IsNew(*watched.group) || !(at_initialization ? watched.at_initialization : watched.in_run)) return false;
  if (at_initialization) return true;
  return std::ranges::any_of(watched.others, [&](const std::vector<const InputGroup*>& others) {
    if (is_first_ && !others.empty()) return false;
    return std::ranges::none_of(others, [](const InputGroup* other) { return IsNew(*other); });
  });
}

bool MissedInputs::AreAwaited() const {
  return std::ranges::any_of(
      watched_, [this](const Watched& one) { return one.group->most_missed.has_value() && Lacks(one, false); });
}

void MissedInputs::Judge(bool at_initialization, const std::function<void(const MissedData&)>& report) {
  for (const Watched& one : watched_) {
    if (!Lacks(one, at_initialization)) continue;
    InputGroup& group = *one.group;
    ++group.missing;
    const bool is_known = group.watch.HasSeen();
    const bool is_too_many = !at_initialization && group.most_missed && group.missing > *group.most_missed;
    report({.id = one.id,
            .number = static_cast<std::uint16_t>(is_known ? group.watch.Last() + 1 : 0),
            .in_a_row = group.missing,
            .is_at_begin = true,
            .is_too_many = is_too_many});
  }
  Mark();
  if (!at_initialization) is_first_ = false;
}

}  // namespace openmi::dcp
